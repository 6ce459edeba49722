import { Swarm, systemClock, type Leadership, type SwarmOptions } from "@doyen/swarm";
import { Calls, UnansweredError } from "@doyen/tabs/calls";
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, describe, test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Link } from "../src/link.js";
import { KEY, Program } from "../src/program.js";
import { seeded } from "../src/seeded.js";
import { until, within } from "../src/until.js";

/** The number of random changes of the leader. Set DOYEN_CHURNS to 1000 for a long run. */
const CHURNS = Number(process.env["DOYEN_CHURNS"] ?? 10);
/** A timer of the `ably` or `ws` package would delay the end of a process by at least 10 s. */
const EXIT_MILLIS = 8000;
/** The time after which the hub ends the claim of a leader that is cut off. It is short, so that the test is short. */
const CUT_TTL_MILLIS = 2000;
const CALL_MILLIS = 60_000;

/** A message of the channel, as a client without a swarm receives it. */
interface Received {
  readonly name?: string | undefined;
  readonly clientId?: string | undefined;
  readonly data?: unknown;
}

describe("swarms in Node", () => {
  let program: Program;
  before(async () => {
    program = await Program.start({ command: "hub" });
  });
  after(() => program[Symbol.asyncDispose]());

  /** Connects a swarm. Returns it with its calls, and with all messages of its channel. */
  async function join(t: TestContext, channel: string, clientId: string, options: Partial<SwarmOptions> = {}) {
    const swarm = new Swarm(channel, {
      key: KEY,
      clientId,
      endpoint: "localhost",
      port: Number(program.hub.port),
      tls: false,
      logLevel: 0,
      ...options,
    } as SwarmOptions);
    t.after(() => swarm.close());
    const received: Received[] = [];
    swarm.onConnection((all) => void all.subscribe((message) => received.push(message)));
    const calls = new Calls(swarm);
    await swarm.connect();
    return { swarm, calls, received };
  }

  for (const hangs of [false, true]) {
    test(`a process ends after its swarm is closed${hangs ? ", although the hub hangs" : ""}`, async (t) => {
      const leaver = fileURLToPath(new URL("../src/leaver.js", import.meta.url));
      if (hangs) t.after(() => process.kill(program.pid, "SIGCONT"));
      const args = [leaver, program.hub.port, ...(hangs ? [String(program.pid)] : [])];
      const { stdout } = await promisify(execFile)(process.execPath, args);
      const { left, exitMillis, sockets } = JSON.parse(stdout) as {
        left: string[];
        exitMillis: number;
        sockets: number;
      };
      assert.deepEqual(left, [], "no timer and no socket is left");
      assert.equal(sockets, 1);
      assert.ok(exitMillis < EXIT_MILLIS, `the process ended ${exitMillis} ms after close`);
      t.diagnostic(`the process ended ${exitMillis} ms after close`);
    });
  }

  test("the hub rejects the answer and the message of a former leader, and no leader repeats its call", async (t) => {
    const link = await Link.open(program.hub);
    t.after(() => link.close());
    /** While this clock stands still, the former leader does not detect that its leadership has ended. */
    let stopped: { monotonic: number; wall: number } | null = null;
    const clock = {
      ...systemClock,
      monotonicMillis: () => stopped?.monotonic ?? systemClock.monotonicMillis(),
      wallMillis: () => stopped?.wall ?? systemClock.wallMillis(),
    };
    const runs: string[] = [];
    let leadership: Leadership | null = null;
    let finish = (_: string): void => {};
    const former = await join(t, "fenced", "former", { port: Number(link.port), ttlMillis: CUT_TTL_MILLIS, clock });
    former.calls.onRequest = () => {
      runs.push("former");
      stopped = { monotonic: systemClock.monotonicMillis(), wall: systemClock.wallMillis() };
      ({ leadership } = former.swarm);
      return new Promise((resolve) => (finish = resolve));
    };
    const caller = await join(t, "fenced", "caller", { candidate: false });
    const pay = (): Promise<unknown> =>
      caller.calls.call("pay", {}, { timeoutMillis: CALL_MILLIS }).catch((error: unknown) => error);
    let call = pay();
    await until(
      "the leader has received a call",
      async () => {
        // On a busy machine, the leader can lose its leadership before the call arrives.
        if (runs.length === 0 && (await within(0, call)) !== null) call = pay();
        return runs.length;
      },
      Boolean,
    );
    link.cut();
    const next = await join(t, "fenced", "next");
    next.calls.onRequest = () => {
      runs.push("next");
      return "next";
    };
    await until("the next member leads", () => next.swarm.isLeader, Boolean);
    assert.ok((await call) instanceof UnansweredError);
    const held = leadership as Leadership | null;
    assert.ok(held?.isLeader, "the former leader does not detect the end of its leadership");
    finish("former");
    const rejected = assert.rejects(held.publish("news", "late"), { code: 40911 });
    link.mend();
    await rejected;

    assert.equal(await caller.calls.call("pay", {}, { timeoutMillis: CALL_MILLIS }), "next");
    assert.deepEqual(runs, ["former", "next"]);
    const late = caller.received.filter(({ name, clientId }) => clientId === "former" && name !== "doyen:call");
    assert.deepEqual(late, []);
    await until(
      "the former leader follows",
      () => former.swarm.leader?.id,
      (id) => id === "next",
    );
    assert.equal(held.isLeader, false);
  });

  test("each call runs at most once and is answered at most once during random changes of the leader", async (t) => {
    const below = seeded(Number(process.env["DOYEN_SEED"] ?? 1));
    const runs = new Map<string, string[]>();
    const members = await Promise.all(
      ["ann", "ben", "cem"].map(async (id) => {
        const member = await join(t, "churn", id, { cooldownMillis: 0 });
        member.calls.onRequest = async ({ args }) => {
          const list = runs.get(String(args)) ?? [];
          runs.set(String(args), [...list, id]);
          // The answer waits for the hub, so the leader can change before the answer.
          await member.swarm.send("work");
          return id;
        };
        return member;
      }),
    );
    const caller = await join(t, "churn", "caller", { candidate: false });
    const outcomes = { answered: 0, unanswered: 0 };
    let term = 0;
    for (let i = 0; i < CHURNS; i++) {
      const leads = await until(
        `one member leads in a term above ${term}, and the caller observes it`,
        () =>
          members.find(({ swarm }) => swarm.isLeader && (swarm.term ?? 0) > term && caller.swarm.term === swarm.term),
        (found) => found !== undefined,
      );
      term = leads?.swarm.term ?? 0;
      const names = [0, 1, 2].map((n) => `${i}.${n}`);
      const earlier = below(4);
      const call = (name: string) => caller.calls.call("work", name, { timeoutMillis: CALL_MILLIS });
      const calls = names.slice(0, earlier).map(call);
      for (let wait = below(4); wait > 0; wait--) await caller.swarm.send("pause");
      leads?.swarm.resign();
      calls.push(...names.slice(earlier).map(call));
      for (const [n, result] of (await Promise.allSettled(calls)).entries()) {
        const ran = runs.get(names[n]!) ?? [];
        if (result.status === "fulfilled") {
          outcomes.answered++;
          assert.deepEqual(ran, [result.value], `call ${names[n]}`);
        } else {
          outcomes.unanswered++;
          assert.ok(result.reason instanceof UnansweredError, String(result.reason));
          assert.ok(ran.length <= 1, `call ${names[n]} ran in ${ran}`);
        }
      }
    }
    let last = 0;
    const by = await until(
      "a leader answers a call",
      () => caller.calls.call("work", `last ${++last}`, { timeoutMillis: CALL_MILLIS }).catch(() => null),
      (answer) => answer !== null,
    );
    assert.deepEqual(runs.get(`last ${last}`), [by]);
    const answers = caller.received.filter(({ name }) => name === "doyen:answer");
    const results = answers.map(({ data }) => data as { to: string; n: number; refused?: boolean });
    const final = results.filter(({ refused }) => refused !== true).map(({ to, n }) => `${to} ${n}`);
    assert.equal(new Set(final).size, final.length, "the hub delivers one answer to each call");
    t.diagnostic(`${CHURNS} changes of the leader: ${JSON.stringify(outcomes)}`);
  });
});
