import assert from "node:assert/strict";
import { hostname } from "node:os";
import { afterEach, beforeEach, describe, test } from "node:test";
import { Backoff } from "../src/backoff.js";
import { leaderIn } from "../src/leader.js";
import { settingsOf } from "../src/settings.js";

const NAMES = ["HOSTNAME", "ELECTOR_GET_URL", "ELECTOR_SSE_URL", "ELECTOR_PATH"] as const;

describe("settings", () => {
  const before = { ...process.env };
  beforeEach(() => NAMES.forEach((name) => delete process.env[name]));
  afterEach(() => void (process.env = { ...before }));

  test("come from the environment variables that the injector and NAIS set", () => {
    process.env["HOSTNAME"] = "pod-1";
    process.env["ELECTOR_GET_URL"] = "http://localhost:4040/";
    process.env["ELECTOR_SSE_URL"] = "http://localhost:4041/sse";
    const found = settingsOf({});
    assert.deepEqual(
      [found.name, found.url.href, found.sseUrl.href, found.believeMillis, found.whenUnknown],
      ["pod-1", "http://localhost:4040/", "http://localhost:4041/sse", 5000, "follow"],
    );
    assert.equal(settingsOf({ url: "elector:99" }).sseUrl.href, "http://elector:99/sse");
  });

  test("accept an address without a scheme, and default to the host's name", () => {
    process.env["ELECTOR_PATH"] = "localhost:4040";
    const found = settingsOf({});
    assert.deepEqual(
      [found.name, found.url.href, found.sseUrl.href],
      [hostname(), "http://localhost:4040/", "http://localhost:4040/sse"],
    );
  });

  test("are rejected with a message if they are out of bounds", () => {
    assert.throws(() => settingsOf({ url: "x", believeMillis: 2999 }), /believeMillis \(2999\) must be from 3000/);
    assert.throws(() => settingsOf({ url: "x", believeMillis: 300_001 }), /to 300000/);
    assert.throws(() => settingsOf({ url: "x", believeMillis: NaN }), /NaN/);
  });
});

test("the client parses both kinds of answers of an elector, and rejects all others", () => {
  const nobody = { name: "", known: true, isMe: false };
  assert.deepEqual(leaderIn('{"name":"a","last_update":"2026-11-22T10:00:00Z"}', "a"), {
    name: "a",
    known: true,
    isMe: true,
  });
  assert.deepEqual(leaderIn('{"name":"b"}', "a"), { name: "b", known: true, isMe: false });
  assert.deepEqual(leaderIn('{"name":""}', ""), nobody);
  const election = '{"name":"a","leader":{"id":"b","term":7}}';
  assert.deepEqual(leaderIn(election, "b"), { name: "b", known: true, isMe: true, term: 7 });
  assert.equal(leaderIn(election, "a").isMe, false, "an election and a pod may have the same name");
  assert.deepEqual(leaderIn('{"name":"a","leader":null}', "a"), nobody);
  assert.deepEqual(leaderIn("{}", "a"), nobody, "the NAIS elector answers {} before it has found a leader");
  for (const bad of [
    "",
    "null",
    "[]",
    "1",
    '{"leader":7}',
    '{"name":1}',
    '{"name":"a","leader":{"id":"b"}}',
    "<html>",
    '{"name":"a"',
  ]) {
    assert.throws(() => leaderIn(bad, "a"), /not an answer of an elector/, bad);
  }
});

test("the backoff starts at the server's delay, doubles, and has a limit", () => {
  const backoff = new Backoff();
  const waits = (random: number, count: number): number[] =>
    Array.from({ length: count }, () => backoff.nextMillis(random));
  assert.deepEqual(waits(1, 5), [1000, 2000, 4000, 8000, 10_000]);
  backoff.worked();
  backoff.retry(2000);
  assert.deepEqual(waits(0, 3), [1000, 2000, 4000]);
  backoff.worked();
  backoff.retry(0);
  assert.deepEqual(waits(1, 1), [100]);
  backoff.worked();
  backoff.retry(1e9);
  assert.deepEqual(waits(1, 1), [10_000]);
});
