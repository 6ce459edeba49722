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
import { HANG_MILLIS, until } from "../src/until.js";
import { AtWork, environment, GO_WATCH, noDoyenForPython, noGoExamples, WORKERS } from "../src/workers.js";

const run = promisify(execFile);
/** The ttl of the leases. It is long, so that a delayed sidecar keeps its term. */
const TTL = "--ttl=10s";

/** Tests the programs that the guide shows: examples/languages, examples/go and examples/curl. */
describe("the examples in other languages, each beside two real sidecars", () => {
  const folder = mkdtempSync(join(tmpdir(), "doyen-languages-"));
  const here = WORKERS.filter((each) => each.missing === false);
  let first: ElectorProcess;
  let second: ElectorProcess;
  const workers = new Map<string, { readonly one: AtWork; readonly two: AtWork }>();

  /**
   * Waits until the last received line of each worker of this sidecar is `last`. The value undefined means that no line
   * was received. A worker that receives an answer too late pauses its work. The worker then prints "no longer", and
   * later its name again.
   */
  async function each(what: string, of: "one" | "two", last: string | undefined): Promise<void> {
    await until(
      `${what}: each worker of sidecar ${of} has printed "${last}"`,
      () => [...workers].map(([language, pair]) => ({ language, received: [...pair[of].received] })),
      (outputs) => outputs.every(({ received }) => received.at(-1) === last),
    );
  }

  /** Returns the term in which the second sidecar leads. */
  async function termOfSecond(): Promise<number> {
    const answer = await fetch(new URL("/v1/elections/app", second.elector));
    return ((await answer.json()) as { leader: { term: number } }).leader.term;
  }

  before(async () => {
    first = await startSidecar("pod-1", join(folder, "leases"), [TTL]);
    await until(
      "the first sidecar leads",
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

  test("the leader's worker works, and after SIGTERM to the leader's sidecar the other worker works", async (t) => {
    WORKERS.forEach((worker) => worker.missing && t.diagnostic(worker.missing));
    await each("at the start", "one", "pod-1 leads");
    await each("at the start", "two", undefined);
    const leadership = await new Elector({ name: "pod-1", url: first.elector }).leading({ election: "app" });
    assert.equal(await first.end("SIGTERM"), 0);
    await each("after SIGTERM", "one", "no longer");
    await until("the leadership is lost", () => leadership.signal.aborted, Boolean);
    assert.ok(leadership.signal.reason instanceof LeadershipLostError);
    assert.equal(leadership.signal.reason.message, "nobody leads any more");
    await each("after SIGTERM", "two", "pod-2 leads");
    assert.ok((await termOfSecond()) > (leadership.term ?? 0));
    for (const [language, { two }] of workers) {
      await until(
        `${language} works`,
        () => two.turns,
        (turns) => turns > 1,
      );
    }
  });

  // The clients' own tests check the exact lifetime of an answer (5 s) on a simulated clock.
  test("the answer of a hanging sidecar expires, and after a restart the leader is known again", async () => {
    second.freeze();
    await each("after the freeze", "two", "no longer");
    const port = second.elector.port;
    await second.end("SIGKILL");
    second = await startSidecar("pod-2", join(folder, "leases"), [TTL, `--http=localhost:${port}`]);
    await each("after the restart", "two", "pod-2 leads");
  });

  test("the short programs of the guide print the leader", async (t) => {
    // If the answer takes longer than 2 s on a busy machine, the program prints that another candidate leads.
    const prints = (program: string, file: string, as: string, expected: string): Promise<string> =>
      until(
        `${file} prints "${expected}"`,
        async () =>
          (
            await run(program, [join(ROOT, "examples/languages", file)], { env: environment(second, as) })
          ).stdout.trim(),
        (output) => output === expected,
      );
    if (noPython) t.diagnostic(noPython);
    else {
      await prints(PYTHON, "ask.py", "pod-2", "I lead");
      await prints(PYTHON, "ask.py", "pod-1", "another leads");
    }
    if (noDoyenForPython) t.diagnostic(noDoyenForPython);
    else {
      await prints(PYTHON, "nightly.py", "pod-2", "sent by the leader");
      await prints(PYTHON, "nightly.py", "pod-1", "not mine to send");
    }
  });

  test("the Go program prints the leader and the term", { skip: noGoExamples }, async () => {
    const program = new AtWork({ language: "Go", command: [GO_WATCH], missing: false }, second, "pod-1");
    try {
      await until(
        "the program prints the leader and the term",
        async () => ({ printed: program.received.at(-1), term: await termOfSecond() }),
        ({ printed, term }) => printed === `pod-2 leads in term ${term}`,
      );
    } finally {
      program.end();
    }
  });

  test("a page from the elector's origin receives the leader and the term", { skip: noBrowser }, async () => {
    const { outputFiles } = await build({
      stdin: { contents: 'export * from "@doyen/elector"', resolveDir: join(ROOT, "testing/acceptance") },
      bundle: true,
      format: "iife",
      globalName: "doyen",
      write: false,
    });
    const browser = await launch();
    try {
      const page = await browser.newPage();
      page.setDefaultTimeout(HANG_MILLIS);
      await page.goto(second.elector.href);
      const before = await termOfSecond();
      await page.addScriptTag({ content: outputFiles[0]!.text });
      const received = await page.evaluate(async () => {
        const { Elector: InPage } = (globalThis as unknown as { doyen: { Elector: typeof Elector } }).doyen;
        const elector = new InPage({ name: "pod-2", url: location.href });
        for await (const leader of elector.watch({ election: "app" })) if (leader.isMe) return leader;
        return null;
      });
      const isLeader = (): Promise<boolean> =>
        page.evaluate(() => {
          const { Elector: InPage } = (globalThis as unknown as { doyen: { Elector: typeof Elector } }).doyen;
          return new InPage({ name: "pod-2", url: location.href }).isLeader();
        });
      await until("isLeader returns true in the page", isLeader, Boolean);
      const { term = 0, ...leader } = received ?? {};
      assert.deepEqual(leader, { name: "pod-2", known: true, isMe: true });
      assert.ok(before <= term && term <= (await termOfSecond()), `term ${term} after ${before}`);
    } finally {
      await browser.close();
    }
  });

  test("the answer of a killed sidecar expires", async () => {
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
          `${name} receives the leader`,
          () => follower.received,
          (received) => received.at(-1) === "pod-2",
        );
      }
      // The test ends this program first, because the program would print a stack trace at the end of the elector.
      following.get("follow.py")?.end();
      await second.end("SIGKILL");
      await each("after SIGKILL", "two", "no longer");
      await until(
        "watch.mjs reports that the leader is not known",
        () => following.get("watch.mjs")?.received,
        (received) => received?.includes("pod-2") === true && received.at(-1) === "not known",
      );
    } finally {
      following.forEach((follower) => follower.end());
    }
  });
});
