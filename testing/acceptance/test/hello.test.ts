import { transform } from "esbuild";
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Swarm } from "@doyen/swarm";
import { launch, noBrowser } from "../src/browser.js";
import { atHub } from "../src/pages.js";
import { KEY, Program, ROOT } from "../src/program.js";
import { HANG_MILLIS, until } from "../src/until.js";

const HELLO = join(ROOT, "examples/hello");

/** Returns the term in which the page last led; 0 if the page never led. */
function termIn(text: string): number {
  return Number([...text.matchAll(/I lead in term (\d+)/g)].at(-1)?.[1] ?? 0);
}

function leads(text: string): boolean {
  return text.lastIndexOf("I lead") > text.lastIndexOf("no longer");
}

describe("the hello worlds of the README", () => {
  test("a FakeSwarm leads and is demoted without a hub", async () => {
    const source = readFileSync(join(HELLO, "fake.ts"), "utf8");
    const script = fileURLToPath(new URL("../fake.js", import.meta.url));
    writeFileSync(script, (await transform(source, { loader: "ts" })).code);
    const { stdout } = await promisify(execFile)(process.execPath, [script]);
    const expected = /console\.log\(events\); \/\/ (.+)/.exec(source)?.[1];
    assert.equal(stdout.trim(), expected);
  });

  test("a swarm leads with a token of the token server, on the channel of the token only", async () => {
    await using program = await Program.start();
    const server = spawn(process.execPath, [join(ROOT, "examples/token-server/token-server.mjs"), "0"], {
      env: { ...process.env, HUB_KEY: KEY },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const authUrl = await new Promise<string>((resolve) =>
      server.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString().trim())),
    );
    const where = { endpoint: "localhost", port: Number(program.hub.port), tls: false, logLevel: 0 };
    const options = { authUrl, authHeaders: { cookie: "session=1b9e" }, clientId: "ann", ...where };
    const [orders, other] = ["orders", "other"].map((channel) => new Swarm(channel, { ...options, onError: () => {} }));
    try {
      await orders!.connect();
      await until(
        "the swarm leads",
        () => orders!.isLeader,
        (leads) => leads,
      );
      assert.equal(orders!.id, "ann");
      await assert.rejects(other!.connect({ timeoutMillis: HANG_MILLIS }), /does not allow|40160/);
    } finally {
      await Promise.all([orders!.close(), other!.close()]);
      server.kill();
    }
  });

  test("a page without a build is elected, alone and as one of two pages", { skip: noBrowser }, async () => {
    await using program = await Program.start();
    const server = createServer((_, response) => {
      response.setHeader("Content-Type", "text/html");
      response.end(atHub(readFileSync(join(HELLO, "hello.html"), "utf8"), program));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = `http://localhost:${(server.address() as AddressInfo).port}/`;
    const browser = await launch();
    try {
      const context = await browser.newContext();
      context.setDefaultTimeout(HANG_MILLIS);
      const pages = [await context.newPage(), await context.newPage()] as const;
      const text = (page: (typeof pages)[number]) => page.evaluate(() => document.body.innerText);
      await pages[0].goto(address);
      await until(
        "the first page leads",
        () => text(pages[0]),
        (text) => termIn(text) > 0,
      );
      await pages[1].goto(address);
      const [first] = await until(
        "one page leads, and the second page reports the leader",
        () => Promise.all(pages.map(text)),
        ([one = "", two = ""]) => leads(one) !== leads(two) && /leader: \w/.test(two),
      );
      const term = termIn(first ?? "");
      await pages[0].close({ runBeforeUnload: true });
      await until(
        "the second page leads in a later term",
        () => text(pages[1]),
        (text) => leads(text) && termIn(text) > term,
      );
    } finally {
      await browser.close();
      server.closeAllConnections();
      server.close();
    }
  });
});
