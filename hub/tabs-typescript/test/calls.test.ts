import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { Calls, MAX_CALLERS, MAX_CALLS, UnansweredError } from "../src/calls.js";
import type { FakeBrowser } from "./fake-browser.js";
import { newMembers, type Member } from "./members.js";

let browser: FakeBrowser;
let member: () => Member;
let pair: () => Promise<[Member, Member]>;

beforeEach(() => {
  ({ browser, member, pair } = newMembers());
});

async function callPair(): Promise<[Member & { calls: Calls }, Member & { calls: Calls }]> {
  const [one, other] = await pair();
  return [
    { ...one, calls: new Calls(one.swarm) },
    { ...other, calls: new Calls(other.swarm) },
  ];
}

describe("calls", () => {
  it("B10_the_leader_answers_a_call_of_a_follower_and_of_itself", async () => {
    const [one, other] = await callPair();
    one.calls.onRequest = ({ method, args }) => [method, args];
    const answers = Promise.all([other.calls.call("sum", [1, 2]), one.calls.call("own")]);
    await browser.advance(10);
    assert.deepEqual(await answers, [
      ["sum", [1, 2]],
      ["own", undefined],
    ]);
  });

  it("B10_reject_with_the_error_of_the_leaders_handler", async () => {
    const [one, other] = await callPair();
    one.calls.onRequest = () => {
      throw new RangeError("too many");
    };
    const failed = assert.rejects(other.calls.call("x"), { name: "RangeError", message: "too many" });
    await browser.advance(10);
    await failed;
    one.calls.onRequest = null;
    const unknown = assert.rejects(other.calls.call("x"), /no handler for the call "x"; set onRequest/);
    await browser.advance(10);
    await unknown;
  });

  it("B10_do_not_run_again_if_the_former_leader_may_have_run_them", async () => {
    const [one, other] = await callPair();
    const third = member();
    void third.swarm.connect();
    await browser.advance(100);
    const runs: string[] = [];
    const calls = new Calls(third.swarm);
    for (const [name, each] of Object.entries({ one: one.calls, other: other.calls, third: calls })) {
      each.onRequest = () => {
        runs.push(name);
        return new Promise(() => {});
      };
    }
    const call = assert.rejects(calls.call("pay"), UnansweredError);
    await browser.advance(10);
    one.tab.crash();
    await browser.advance(100);
    await call;
    assert.deepEqual(runs, ["one"]);
  });

  it("B10_go_to_the_next_leader_if_the_former_leader_refused_them", async () => {
    const [one, other] = await callPair();
    other.calls.onRequest = () => "done";
    one.calls.onRequest = () => "wrong";
    const call = other.calls.call("pay");
    one.swarm.resign(); // before the request arrives
    await browser.advance(100);
    assert.equal(await call, "done");
  });

  it("B10_wait_if_the_receiver_does_not_know_yet_that_it_leads", async () => {
    const [one, other] = await callPair();
    other.calls.onRequest = () => "done";
    const early = { to: other.swarm.id, term: 2, from: "caller", n: 1, method: "pay" };
    await one.swarm.send("doyen:call", early);
    await browser.advance(10);
    const answers: unknown[] = [];
    one.swarm.subscribe(({ name, data }) => name === "doyen:answer" && answers.push(data));
    one.swarm.resign();
    await browser.advance(100);
    assert.deepEqual(answers, [{ to: "caller", n: 1, result: "done" }]);
  });

  it("B10_run_once_if_the_channel_repeats_the_request", async () => {
    const [one, other] = await callPair();
    let runs = 0;
    one.calls.onRequest = () => ++runs;
    const request = { to: one.swarm.id, term: 1, from: "caller", n: 1, method: "pay" };
    await other.swarm.send("doyen:call", request);
    await other.swarm.send("doyen:call", request);
    await browser.advance(10);
    assert.equal(runs, 1);
  });

  it("B10_are_limited_in_number_time_and_callers", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { swarm } = member();
    const alone = new Calls(swarm);
    const calls = Array.from({ length: MAX_CALLS }, () => alone.call("x", null, { timeoutMillis: 1000 }));
    const late = Promise.allSettled(calls);
    await assert.rejects(alone.call("x"), /100 calls wait for an answer, which is the limit/);
    t.mock.timers.tick(1000);
    for (const result of await late) {
      assert.match(String((result as PromiseRejectedResult).reason), /no member led within 1000 ms.+did not run/);
    }
    await assert.rejects(alone.call(""), /the length of the method's name is 0/);
    await assert.rejects(alone.call("x", 1, { timeoutMillis: 0 }), /timeoutMillis is 0/);

    const [one, other] = await callPair();
    one.calls.onRequest = () => "done";
    const answers: { error?: { message: string } }[] = [];
    other.swarm.subscribe(({ name, data }) => name === "doyen:answer" && answers.push(data as object));
    for (let i = 0; i <= MAX_CALLERS; i++) {
      await other.swarm.send("doyen:call", { to: one.swarm.id, term: 1, from: `caller ${i}`, n: 1, method: "x" });
    }
    await browser.advance(10);
    assert.equal(answers.filter(({ error }) => error === undefined).length, MAX_CALLERS);
    assert.match(answers.find(({ error }) => error)?.error?.message ?? "", /1000 members have called this leader/);
  });

  it("reject_when_the_swarm_closes", async () => {
    const { swarm } = member();
    const call = assert.rejects(new Calls(swarm).call("pay"), /this swarm was closed/);
    void swarm.close();
    await call;
  });
});
