import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { launch, noBrowser, open, shown } from "../src/browser.js";
import { Ledger } from "../src/ledger.js";
import { Program } from "../src/program.js";
import { until } from "../src/until.js";

describe("a restart of a killed hub", () => {
  test("the pages reconnect, and one page leads in a higher term", { skip: noBrowser }, async () => {
    const data = mkdtempSync(join(tmpdir(), "doyen-restart-"));
    const browser = await launch();
    const first = await Program.start({ data, claimTtl: "5s" });
    let second: Program | null = null;
    let ledger = await Ledger.open(first.hub);
    try {
      const context = await browser.newContext();
      const pages = await Promise.all([open(context, first.hub), open(context, first.hub)]);
      await until(
        "a count of at least two",
        () => ledger.last?.n ?? 0,
        (n) => n >= 2,
      );
      const before = ledger.last;
      await first.end("SIGKILL");
      ledger.close();
      second = await Program.start({ data, claimTtl: "5s", port: Number(first.hub.port) });
      ledger = await Ledger.open(second.hub);
      await until(
        "the count continues",
        () => ledger.last?.n ?? 0,
        (n) => n > (before?.n ?? 0) + 1,
      );
      for (const entry of ledger.entries)
        assert.ok(entry.term > (before?.term ?? 0), `term ${entry.term} was used before`);
      ledger.assertUnbroken();
      const seen = await until(
        "both pages report the same leader",
        () => Promise.all(pages.map(shown)),
        (all) => all.filter((page) => page.leader).length === 1 && all[0]?.term === all[1]?.term,
      );
      assert.ok((seen[0]?.term ?? 0) > (before?.term ?? 0));
    } finally {
      ledger.close();
      await browser.close();
      await second?.end("SIGTERM");
      rmSync(data, { recursive: true, force: true });
    }
  });
});
