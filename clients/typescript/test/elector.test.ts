import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Elector, ElectorError, LeadershipLostError, type Leadership } from "../src/index.js";
import { event, FakeElector, plain } from "./fake/elector.js";

const ME = { name: "me", url: "http://localhost:4040/", log: () => {} } as const;
const answer = (name: string): string => `{"name":"${name}","last_update":"2026-11-22T10:00:00Z"}`;

describe("isLeader", () => {
  test("is true only if the elector names this app", async () => {
    const fake = new FakeElector();
    const elector = new Elector(ME, fake);
    const isLeaderAfter = async (text: string, status = 200): Promise<boolean> => {
      const result = elector.isLeader();
      fake.latest.answers(text, status);
      return result;
    };
    assert.equal(await isLeaderAfter(answer("me")), true);
    assert.equal(await isLeaderAfter(answer("other")), false);
    assert.equal(await isLeaderAfter(answer("")), false);
    assert.equal(await isLeaderAfter(answer("me"), 500), false);
    assert.equal(await isLeaderAfter("nonsense"), false);
    assert.equal(await isLeaderAfter(`${answer("me")}${" ".repeat(70_000)}`), false);
    assert.equal(fake.timersLeft, 0);
  });

  test("is false if no answer arrives within 2 s, unless whenUnknown is set", async () => {
    const fake = new FakeElector();
    const gone = async (whenUnknown: "follow" | "throw" | "lead"): Promise<boolean> => {
      const result = new Elector({ ...ME, whenUnknown }, fake).isLeader();
      fake.latest.fails();
      return result;
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

  test("requests the given election", async () => {
    const fake = new FakeElector();
    const result = new Elector(ME, fake).isLeader("orders");
    assert.equal(fake.latest.url.href, "http://localhost:4040/v1/elections/orders");
    fake.latest.answers('{"name":"orders","leader":{"id":"me","term":3}}');
    assert.equal(await result, true);
  });
});

describe("leading", () => {
  async function led(fake: FakeElector, signal?: AbortSignal): Promise<Leadership> {
    const leading = new Elector(ME, fake).leading({ election: "app", ...(signal && { signal }) });
    await fake.passes();
    fake.latest.opens(event(1, "other", 1));
    await fake.passes(1_000);
    fake.latest.sends(event(2, "me", 2));
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

  test("starts a leadership when this app leads, and ends it when another app leads", async () => {
    const fake = new FakeElector();
    const leadership = await led(fake);
    fake.latest.sends(event(3, "me", 2) + event(4, "other", 3));
    await fake.passes();
    assert.equal(why(leadership), "other leads");
    assert.ok(fake.latest.signal.aborted, "the client closes the stream");
    assert.equal(fake.timersLeft, 0);
  });

  test("ends the leadership if nobody leads or if this app leads in another term", async () => {
    for (const [text, reason] of [
      [event(3, "", 2), "nobody leads any more"],
      [event(3, "me", 3), "another term has begun: 3"],
    ] as const) {
      const fake = new FakeElector();
      const leadership = await led(fake);
      fake.latest.sends(text);
      await fake.passes();
      assert.equal(why(leadership), reason);
    }
  });

  test("ends the leadership 5 s after the last message of the elector", async () => {
    const fake = new FakeElector();
    const leadership = await led(fake);
    await fake.passes(4_999);
    assert.ok(leadership.isLeading);
    await fake.passes(1);
    assert.match(why(leadership), /did not answer for too long/);
  });

  test("ends the leadership if the elector rejects the next connection", async () => {
    const fake = new FakeElector();
    const leadership = await led(fake);
    fake.latest.ends();
    await fake.passes(1_000);
    fake.latest.answers("", 404);
    await fake.passes();
    assert.match(why(leadership), /app\/events.* status 404; check the address/);
  });

  test("ends the leadership if the watch fails", async () => {
    const fake = new FakeElector();
    const leadership = await led(fake);
    fake.random = () => {
      throw new Error("on purpose");
    };
    fake.latest.ends();
    await fake.passes();
    assert.equal(why(leadership), "the watch failed: Error: on purpose");
  });

  test("continues the leadership over a broken connection, and requests no missed events", async () => {
    const fake = new FakeElector();
    const leadership = await led(fake);
    fake.latest.ends();
    await fake.passes(1_000);
    assert.equal(fake.requests.length, 2);
    assert.equal(fake.latest.headers["Last-Event-ID"], undefined);
    fake.latest.opens(event(2, "me", 2));
    await fake.passes(2_500);
    assert.ok(leadership.isLeading);
    fake.latest.sends(":\n\n");
    await fake.passes(2_500);
    assert.ok(leadership.isLeading);
    await leadership[Symbol.asyncDispose]();
    await fake.passes();
    assert.ok(!leadership.isLeading);
    assert.ok(fake.requests.every((each) => each.signal.aborted));
    assert.equal(fake.timersLeft, 0);
  });

  test("stops when the given signal aborts, before and after the app leads", async () => {
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

  test("rejects at the time limit, which does not end a leadership", async () => {
    const fake = new FakeElector();
    const leading = (): Promise<Leadership> => new Elector(ME, fake).leading({ election: "app", timeoutMillis: 4_000 });
    const rejected = assert.rejects(leading(), {
      name: "TimeoutError",
      message: "this app did not lead within 4000 ms",
    });
    await fake.passes();
    fake.latest.opens(event(1, "other", 1) + ":\n\n");
    await fake.passes(2_000);
    fake.latest.sends(":\n\n");
    await fake.passes(1_999);
    assert.equal(fake.timersLeft, 2, "the wait has not ended");
    await fake.passes(1);
    await rejected;
    assert.deepEqual([fake.latest.signal.aborted, fake.timersLeft], [true, 0]);

    const led = leading();
    await fake.passes();
    fake.latest.opens(event(1, "me", 1));
    const leadership = await led;
    await fake.passes(2_500);
    fake.latest.sends(":\n\n");
    await fake.passes(2_500);
    assert.ok(leadership.isLeading, "the time limit has passed");
    fake.latest.sends(event(2, "other", 2));
    await fake.passes();
    assert.equal(why(leadership), "other leads");
    assert.equal(fake.timersLeft, 0);
  });

  test("rejects if the elector does not have this election", async () => {
    const fake = new FakeElector();
    const leading = new Elector(ME, fake).leading({ election: "none" });
    fake.latest.answers("", 404);
    await assert.rejects(leading, ElectorError);
  });
});
