import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Elector, ElectorError, LeadershipLostError, type Leadership } from "../src/index.js";
import { event, FakeElector, plain } from "./fake/elector.js";

const ME = { name: "me", url: "http://localhost:4040/" } as const;
const answer = (name: string): string => `{"name":"${name}","last_update":"2026-11-22T10:00:00Z"}`;

describe("isLeader", () => {
  test("is true only if the elector names this app", async () => {
    const fake = new FakeElector();
    const elector = new Elector(ME, fake);
    const says = async (text: string, status = 200): Promise<boolean> => {
      const asked = elector.isLeader();
      fake.latest.answers(text, status);
      return asked;
    };
    assert.equal(await says(answer("me")), true);
    assert.equal(await says(answer("other")), false);
    assert.equal(await says(answer("")), false);
    assert.equal(await says(answer("me"), 500), false);
    assert.equal(await says("nonsense"), false);
    assert.equal(await says(`${answer("me")}${" ".repeat(70_000)}`), false);
    assert.equal(fake.timersLeft, 0);
  });

  test("is false when nobody answers, or not within 2 s, and what whenUnknown says", async () => {
    const fake = new FakeElector();
    const gone = async (whenUnknown: "follow" | "throw" | "lead"): Promise<boolean> => {
      const asked = new Elector({ ...ME, whenUnknown }, fake).isLeader();
      fake.latest.fails();
      return asked;
    };
    assert.equal(await gone("follow"), false);
    assert.equal(await gone("lead"), true);
    await assert.rejects(gone("throw"), /fetch failed/);
    let late: boolean | undefined;
    void new Elector(ME, fake).isLeader().then((found) => (late = found));
    fake.latest.opens(answer("me").slice(0, 5), "application/json");
    await fake.passes(1_999);
    assert.equal(late, undefined);
    await fake.passes(1);
    assert.equal(late, false);
    assert.ok(fake.latest.signal.aborted);
  });

  test("asks for the election it is given", async () => {
    const fake = new FakeElector();
    const asked = new Elector(ME, fake).isLeader("orders");
    assert.equal(fake.latest.url.href, "http://localhost:4040/v1/elections/orders");
    fake.latest.answers('{"name":"orders","leader":{"id":"me","term":3}}');
    assert.equal(await asked, true);
  });
});

describe("leading", () => {
  async function led(fake: FakeElector, signal?: AbortSignal): Promise<Leadership> {
    const leading = new Elector(ME, fake).leading({ election: "app", ...(signal && { signal }) });
    await fake.passes();
    fake.latest.opens(event(1, "other", 1));
    await fake.passes(1_000);
    fake.latest.says(event(2, "me", 2));
    const leadership = await leading;
    assert.deepEqual([leadership.term, leadership.isLeading], [2, true]);
    return leadership;
  }
  const why = (leadership: Leadership): string => {
    assert.ok(leadership.signal.aborted);
    assert.ok(!leadership.isLeading);
    assert.ok(leadership.signal.reason instanceof LeadershipLostError);
    return leadership.signal.reason.message;
  };

  test("begins when this app leads, and ends when another does", async () => {
    const fake = new FakeElector();
    const leadership = await led(fake);
    fake.latest.says(event(3, "me", 2) + event(4, "other", 3));
    await fake.passes();
    assert.equal(why(leadership), "other leads");
    assert.ok(fake.latest.signal.aborted, "its stream is closed");
    assert.equal(fake.timersLeft, 0);
  });

  test("ends when nobody leads, and when this app leads in another term", async () => {
    for (const [said, reason] of [
      [event(3, "", 2), "nobody leads any more"],
      [event(3, "me", 3), "another term has begun: 3"],
    ] as const) {
      const fake = new FakeElector();
      const leadership = await led(fake);
      fake.latest.says(said);
      await fake.passes();
      assert.equal(why(leadership), reason);
    }
  });

  test("ends 5 s after the elector was last heard, and not before", async () => {
    const fake = new FakeElector();
    const leadership = await led(fake);
    await fake.passes(4_999);
    assert.ok(leadership.isLeading);
    await fake.passes(1);
    assert.match(why(leadership), /not heard for too long/);
  });

  test("goes on over a connection that breaks, and asks for no replay: what is over is no leadership", async () => {
    const fake = new FakeElector();
    const leadership = await led(fake);
    fake.latest.ends();
    await fake.passes(1_000);
    assert.equal(fake.asked.length, 2);
    assert.equal(fake.latest.headers["Last-Event-ID"], undefined);
    fake.latest.opens(event(2, "me", 2));
    await fake.passes(2_500);
    assert.ok(leadership.isLeading);
    fake.latest.says(":\n\n");
    await fake.passes(2_500);
    assert.ok(leadership.isLeading);
    await leadership[Symbol.asyncDispose]();
    await fake.passes();
    assert.ok(!leadership.isLeading);
    assert.ok(fake.asked.every((each) => each.signal.aborted));
    assert.equal(fake.timersLeft, 0);
  });

  test("ends with the signal it was given, before and after it began", async () => {
    const [fake, stop] = [new FakeElector(), new AbortController()];
    const leadership = await led(fake, stop.signal);
    stop.abort();
    await fake.passes();
    assert.ok(!leadership.isLeading);
    const [idle, early] = [new FakeElector(), new AbortController()];
    const waiting = new Elector(ME, idle).leading({ signal: early.signal });
    await idle.passes();
    idle.latest.opens(plain("other"));
    await idle.passes();
    early.abort(new Error("enough"));
    await assert.rejects(waiting, /enough/);
    assert.deepEqual([idle.latest.signal.aborted, idle.timersLeft], [true, 0]);
    await assert.rejects(new Elector(ME, idle).leading({ signal: early.signal }), /enough/);
  });

  test("rejects if the elector knows no such election", async () => {
    const fake = new FakeElector();
    const leading = new Elector(ME, fake).leading({ election: "none" });
    fake.latest.answers("", 404);
    await assert.rejects(leading, ElectorError);
  });
});
