import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { Elector, LeadershipLostError } from "@doyen/elector";
import { build } from "esbuild";
import { launch, noBrowser } from "../src/browser.js";
import type { ElectorProcess } from "../src/electorprocess.js";
import { ROOT } from "../src/program.js";
import { noPython, PYTHON } from "../src/python.js";
import { startSidecar } from "../src/sidecar.js";
import { until } from "../src/until.js";
import { AtWork, environment, noDoyenForPython, WORKERS } from "../src/workers.js";

const run = promisify(execFile);
const TTL = "--ttl=4s";
/** For how long the clients believe an elector that says nothing: 5 s; and what a busy machine may take besides. */
const NOTICED_WITHIN_MILLIS = 5_000 + 3_000;

/** The pages show these programs: examples/languages, examples/go, examples/curl. */
describe("the examples in other languages, each beside two real sidecars", () => {
  const folder = mkdtempSync(join(tmpdir(), "doyen-languages-"));
  const here = WORKERS.filter((each) => each.missing === false);
  let first: ElectorProcess;
  let second: ElectorProcess;
  const workers = new Map<string, { readonly one: AtWork; readonly two: AtWork }>();

  async function each(what: string, of: "one" | "two", heard: readonly string[], withinMillis = 20_000): Promise<void> {
    const expected = heard.join(", ");
    await until(
      `${what}: each worker beside ${of} has said "${expected}"`,
      () => [...workers].map(([language, pair]) => `${language}: ${pair[of].heard.join(", ")}`),
      (said) => said.every((text) => text.endsWith(`: ${expected}`)),
      withinMillis,
    );
  }

  before(async () => {
    first = await startSidecar("pod-1", join(folder, "leases"), [TTL]);
    await until(
      "the first leads",
      async () => (await fetch(first.elector)).text(),
      (body) => body.includes("pod-1"),
    );
    second = await startSidecar("pod-2", join(folder, "leases"), [TTL]);
    for (const worker of here) {
      workers.set(worker.language, {
        one: new AtWork(worker, first, "pod-1"),
        two: new AtWork(worker, second, "pod-2"),
      });
    }
  });

  after(async () => {
    for (const { one, two } of workers.values()) [one, two].forEach((worker) => worker.end());
    await first.end("SIGKILL");
    await second.end("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });

  test("the leader's works, the other's waits; when the leader's sidecar is told to end, the other's works", async (t) => {
    WORKERS.forEach((worker) => worker.missing && t.diagnostic(worker.missing));
    await each("at first", "one", ["pod-1 leads"]);
    await each("at first", "two", []);
    const leadership = await new Elector({ name: "pod-1", url: first.elector }).leading({ election: "app" });
    assert.equal(leadership.term, 1);
    assert.equal(await first.end("SIGTERM"), 0);
    await each("told to end", "one", ["pod-1 leads", "no longer"]);
    assert.ok(leadership.signal.reason instanceof LeadershipLostError);
    assert.equal(leadership.signal.reason.message, "nobody leads any more");
    await each("told to end", "two", ["pod-2 leads"]);
    for (const [language, { two }] of workers) {
      await until(
        `${language} works`,
        () => two.turns,
        (turns) => turns > 1,
      );
    }
  });

  test("a sidecar that hangs is believed for no longer than 5 s; when it is there again, so is the leader", async () => {
    second.freeze();
    await each("frozen", "two", ["pod-2 leads", "no longer"], NOTICED_WITHIN_MILLIS);
    const port = second.elector.port;
    await second.end("SIGKILL");
    second = await startSidecar("pod-2", join(folder, "leases"), [TTL, `--http=localhost:${port}`]);
    await each("restarted", "two", ["pod-2 leads", "no longer", "pod-2 leads"], 40_000);
  });

  test("the small programs of the page say who leads", async (t) => {
    const say = async (program: string, file: string, as: string): Promise<string> =>
      (await run(program, [join(ROOT, "examples/languages", file)], { env: environment(second, as) })).stdout.trim();
    if (noPython) t.diagnostic(noPython);
    else {
      assert.equal(await say(PYTHON, "ask.py", "pod-2"), "I lead");
      assert.equal(await say(PYTHON, "ask.py", "pod-1"), "another leads");
    }
    if (noDoyenForPython) t.diagnostic(noDoyenForPython);
    else {
      assert.equal(await say(PYTHON, "nightly.py", "pod-2"), "sent by the leader");
      assert.equal(await say(PYTHON, "nightly.py", "pod-1"), "not mine to send");
    }
  });

  test("a page of the elector's own origin hears who leads, with the term", { skip: noBrowser }, async () => {
    const { outputFiles } = await build({
      stdin: { contents: 'export * from "@doyen/elector"', resolveDir: join(ROOT, "acceptance") },
      bundle: true,
      format: "iife",
      globalName: "doyen",
      write: false,
    });
    const browser = await launch();
    try {
      const page = await browser.newPage();
      await page.goto(second.elector.href);
      await page.addScriptTag({ content: outputFiles[0]!.text });
      const heard = await page.evaluate(async () => {
        const { Elector: InPage } = (globalThis as unknown as { doyen: { Elector: typeof Elector } }).doyen;
        const elector = new InPage({ name: "pod-2", url: location.href });
        for await (const leader of elector.watch({ election: "app" })) return [leader, await elector.isLeader()];
        return [];
      });
      assert.deepEqual(heard, [{ name: "pod-2", known: true, isMe: true, term: 3 }, true]);
    } finally {
      await browser.close();
    }
  });

  test("a sidecar that is killed is believed for no longer than 5 s", async () => {
    const followers = [
      { language: "watch.mjs", missing: false, command: ["node", join(ROOT, "examples/languages/watch.mjs")] },
      { language: "follow.py", missing: noPython, command: [PYTHON, join(ROOT, "examples/languages/follow.py")] },
    ] as const;
    const following = new Map(
      followers.filter((one) => !one.missing).map((one) => [one.language, new AtWork(one, second, "pod-2")]),
    );
    try {
      for (const [name, follower] of following) {
        await until(
          `${name} hears who leads`,
          () => follower.heard,
          (heard) => heard.at(-1) === "pod-2",
        );
      }
      // It gives up with a trace of its stack when the elector is gone.
      following.get("follow.py")?.end();
      await second.end("SIGKILL");
      await each("killed", "two", ["pod-2 leads", "no longer", "pod-2 leads", "no longer"], NOTICED_WITHIN_MILLIS);
      await until(
        "who only watches hears that it is not known",
        () => following.get("watch.mjs")?.heard,
        (heard) => heard?.join() === "I lead,pod-2,not known",
        NOTICED_WITHIN_MILLIS,
      );
    } finally {
      following.forEach((follower) => follower.end());
    }
  });
});
