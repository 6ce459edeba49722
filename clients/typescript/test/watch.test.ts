import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { Elector, type Leader, type WatchOptions } from "../src/index.js";
import { event, FakeElector, plain } from "./fake/elector.js";

describe("a watch", () => {
  let fake: FakeElector;
  let elector: Elector;
  let stop: AbortController;
  let seen: Leader[];
  let end: { done: boolean; failure?: unknown };
  const names = (): string[] => seen.map((each) => (each.known ? each.name : "?"));

  function start(options: WatchOptions = {}): void {
    void (async () => {
      for await (const leader of elector.watch({ ...options, signal: stop.signal })) seen.push(leader);
    })().then(
      () => (end.done = true),
      (failure: unknown) => (end = { done: true, failure }),
    );
  }

  beforeEach(() => {
    fake = new FakeElector();
    elector = new Elector({ name: "me", url: "localhost:4040", log: () => {} }, fake);
    stop = new AbortController();
    seen = [];
    end = { done: false };
  });

  afterEach(async () => {
    stop.abort();
    await fake.passes();
    assert.ok(end.done, "the watch ends when its signal aborts");
    assert.equal(fake.timersLeft, 0, "no timer is left");
    assert.ok(
      fake.requests.every((each) => each.signal.aborted),
      "no request is left",
    );
  });

  test("reports the current state and each change once", async () => {
    start();
    await fake.passes();
    assert.equal(fake.latest.url.href, "http://localhost:4040/sse?heartbeat=2s");
    fake.latest.opens(plain("a") + plain("a"));
    await fake.passes();
    fake.latest.sends(plain("").slice(0, 9));
    await fake.passes();
    fake.latest.sends(plain("").slice(9) + plain("me"));
    await fake.passes();
    assert.deepEqual(names(), ["a", "", "me"]);
    assert.deepEqual(
      seen.map((each) => each.isMe),
      [false, false, true],
    );
  });

  test("reconnects after the server's delay, and sends the last event id", async () => {
    start({ election: "a/b" });
    await fake.passes();
    assert.equal(fake.latest.url.href, "http://localhost:4040/v1/elections/a%2Fb/events?heartbeat=2s");
    assert.equal(fake.latest.headers["Last-Event-ID"], undefined);
    fake.latest.opens("retry: 2000\n" + event(1, "a", 1));
    await fake.passes();
    fake.latest.ends();
    await fake.passes(1_999);
    assert.equal(fake.requests.length, 1);
    await fake.passes(1);
    assert.equal(fake.requests.length, 2);
    assert.equal(fake.latest.headers["Last-Event-ID"], "x-1");
    fake.latest.opens(event(2, "me", 2) + event(3, "b", 3) + "event: reset\ndata: {}\n\n");
    await fake.passes();
    assert.deepEqual(
      seen.map(({ name, term }) => [name, term]),
      [
        ["a", 1],
        ["me", 2],
        ["b", 3],
      ],
    );
  });

  test("retries a stopped server less and less often, and reports an unknown leader after 5 s", async () => {
    start();
    await fake.passes();
    fake.latest.opens(plain("me"));
    await fake.passes(1_000);
    fake.latest.sends(":\n\n");
    await fake.passes();
    fake.latest.ends();
    for (let each = 0; each < 3; each++) {
      await fake.passes();
      if (fake.requests.length > 1) fake.latest.fails();
      await fake.passes(each === 0 ? 1_000 : 1_999);
    }
    assert.deepEqual(names(), ["me"], "4,998 ms after the last message");
    await fake.passes(2);
    assert.deepEqual(names(), ["me", "?"]);
    assert.deepEqual([seen[1]!.isMe, seen[1]!.name], [false, ""]);
    await fake.passes(60_000);
    assert.deepEqual(names(), ["me", "?"], "the watch reports the unknown leader once");
    const before = fake.requests.length;
    await fake.passes(120_000);
    assert.ok(fake.requests.length - before <= 12, "at most one request in 10 s");
    const back = await fake.waiting();
    back.opens(plain("me"));
    await fake.passes();
    assert.deepEqual(names(), ["me", "?", "me"]);
    back.ends();
    await fake.passes(1_000);
    assert.notEqual(fake.latest, back, "the connection worked, so the next delay is short again");
  });

  test("closes a silent stream with heartbeats, and reports an unknown leader in time", async () => {
    start();
    await fake.passes();
    fake.latest.opens(plain("me") + ":\n\n");
    await fake.passes(2_999);
    assert.equal(fake.requests.length, 1);
    await fake.passes(1_500);
    assert.equal(fake.requests.length, 2, "the watch opens a new connection 0.5 s to 1 s later");
    assert.equal(fake.latest.url.pathname, "/sse");
    assert.ok(fake.requests[0]!.signal.aborted, "the watch closes the old connection");
    fake.latest.opens();
    await fake.passes(500);
    assert.deepEqual(names(), ["me"]);
    await fake.passes(1_000);
    assert.deepEqual(names(), ["me", "?"]);
  });

  test("sends a request to an elector without heartbeats that is silent", async () => {
    start();
    await fake.passes();
    fake.latest.opens(plain("a"));
    for (let each = 0; each < 5; each++) {
      await fake.passes(3_000);
      assert.equal(fake.latest.url.href, "http://localhost:4040/");
      fake.latest.answers('{"name":"a","last_update":"2026-11-22T10:00:00Z"}');
    }
    await fake.passes(3_000);
    fake.latest.answers('{"name":"me","last_update":"2026-11-22T10:00:00Z"}');
    await fake.passes();
    assert.deepEqual(names(), ["a", "me"]);
    assert.equal(fake.requests.filter((each) => each.url.pathname === "/sse").length, 1);
    await fake.passes(5_001);
    assert.deepEqual(names(), ["a", "me", "?"], "the leader is unknown after 5 s without an answer");
  });

  test("logs one address if a request during a silent stream fails", async () => {
    const logged: string[] = [];
    elector = new Elector({ name: "me", url: "localhost:4040", log: (line) => logged.push(line) }, fake);
    start();
    await fake.passes();
    fake.latest.opens(plain("a"));
    await fake.passes(3_000);
    assert.equal(fake.latest.url.href, "http://localhost:4040/");
    await fake.passes(1_000);
    assert.deepEqual(logged, ["the elector at http://localhost:4040/ did not answer within 1000 ms"]);
  });

  test("ignores bytes that arrived while this process was suspended", async () => {
    start({ election: "app" });
    await fake.passes();
    const old = fake.latest;
    old.opens(event(1, "me", 1));
    await fake.passes();
    fake.suspended(60_000);
    old.sends(":\n\n" + event(2, "me", 2));
    await fake.passes();
    assert.deepEqual(names(), ["me", "?"]);
    assert.ok(old.signal.aborted, "the watch closes the old connection");
    (await fake.waiting()).opens(event(3, "other", 3));
    await fake.passes();
    assert.deepEqual(names(), ["me", "?", "other"]);
  });

  test("ignores a first event that arrived while this process was suspended", async () => {
    start();
    await fake.passes();
    fake.latest.opens();
    await fake.passes();
    fake.suspended(60_000);
    fake.latest.sends(plain("me"));
    await fake.passes(1_000);
    assert.deepEqual(names(), ["?"]);
  });

  test("counts the age of an answer from the time of the request", async () => {
    start();
    await fake.passes();
    fake.latest.opens(plain("me"));
    await fake.passes(3_000);
    await fake.passes(900);
    fake.latest.answers('{"name":"me","last_update":"2026-11-22T10:00:00Z"}');
    await fake.passes();
    await fake.passes(4_099);
    assert.deepEqual(names(), ["me"]);
    await fake.passes(1);
    assert.deepEqual(names(), ["me", "?"], "5 s after the request");
  });

  test("ignores an answer that arrived while this process was suspended", async () => {
    start();
    await fake.passes();
    fake.latest.opens(plain("me"));
    await fake.passes(3_000);
    fake.suspended(60_000);
    fake.latest.answers('{"name":"me","last_update":"2026-11-22T10:00:00Z"}');
    await fake.passes();
    assert.deepEqual(names(), ["me", "?"]);
  });

  test("replaces a malformed stream", async () => {
    start();
    await fake.passes();
    const bad = ["data: []\n\n", "data: nonsense\n\n", `data: ${"x".repeat(70_000)}`, "data: \xff\n\n"];
    for (const text of bad) {
      const request = await fake.waiting();
      request.opens(text);
      await fake.passes();
      assert.ok(request.signal.aborted, text.slice(0, 20));
    }
    (await fake.waiting()).opens(plain("a"));
    await fake.passes();
    assert.deepEqual(names(), ["?", "a"]);
  });

  test("repeats a request to a busy server, but not a rejected request", async () => {
    start({ election: "none" });
    await fake.passes();
    fake.latest.answers("", 503);
    await fake.passes(1_000);
    fake.latest.answers("", 429);
    await fake.passes(2_000);
    assert.equal(fake.requests.length, 3);
    fake.latest.answers("", 404);
    await fake.passes();
    assert.match(String(end.failure), /ElectorError: .*none\/events.* status 404; check the address/);
  });

  test("rejects a response that is not an event stream", async () => {
    start();
    await fake.passes();
    fake.latest.opens("<html>", "text/html");
    await fake.passes();
    assert.match(String(end.failure), /is not an event stream/);
  });

  test("closes the stream when the caller leaves the loop", async () => {
    const first = (async () => {
      for await (const leader of elector.watch()) return leader.name;
      return undefined;
    })();
    await fake.passes();
    fake.latest.opens(plain("a"));
    assert.equal(await first, "a");
    end.done = true;
  });
});
