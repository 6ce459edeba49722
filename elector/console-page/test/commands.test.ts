import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChannelSnapshot, ElectionSnapshot } from "../src/snapshot.js";
import { othersOf, outcome, question, verbs } from "../src/commands.js";

const led: ElectionSnapshot = { name: "orders", slot: "leader/1", leader: { id: "ann", term: 3 } };
const free: ElectionSnapshot = { name: "orders", slot: "leader/1" };
const paused = "the election was paused by the admin key through the hub";

test("the available commands depend on the leader and the pause", () => {
  assert.deepEqual(verbs(led), ["resign", "transfer", "pause"]);
  assert.deepEqual(verbs(free), ["pause"]);
  assert.deepEqual(verbs({ ...free, paused }), ["resume"]);
  assert.deepEqual(verbs({ ...led, paused }), ["resign", "transfer", "resume"]);
});

test("the list of successors excludes the leader and contains each member once", () => {
  const member = (id: string, connection: string) => ({ id, connection, leads: id === "ann" });
  const channel = {
    members: [member("ann", "1"), member("bob", "2"), member("bob", "3")],
  } as unknown as ChannelSnapshot;
  assert.deepEqual(othersOf(channel, led), ["bob"]);
  assert.deepEqual(othersOf(channel, free), ["ann", "bob"]);
});

test("the confirmation names the leader and the election", () => {
  assert.match(question({ verb: "resign", election: led, others: [], at: "hub" }), /^“ann” steps down in “orders”/);
  assert.match(question({ verb: "pause", election: free, others: [], at: "hub" }), /^Nobody leads “orders” until/);
});

test("the page shows every answer as a sentence", () => {
  const done = outcome(true, '{"done":"\\"ann\\" (term 3) has stepped down"}');
  assert.deepEqual(done, { done: true, sentence: '"ann" (term 3) has stepped down.' });
  const refused = outcome(
    false,
    '{"title":"Conflict","status":409,"detail":"no candidate leads, so no command was sent"}',
  );
  assert.deepEqual(refused, { done: false, sentence: "No candidate leads, so no command was sent." });
  assert.equal(outcome(false, "<h1>Bad Gateway</h1>\n").sentence, "<h1>Bad Gateway</h1>.");
  assert.equal(outcome(false, "").sentence, "Rejected without a reason.");
});
