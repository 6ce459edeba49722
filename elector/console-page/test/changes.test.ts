import assert from "node:assert/strict";
import { test } from "node:test";
import { leaderChanges } from "../src/changes.js";
import type { Leadership } from "../src/snapshot.js";

const led = (...leaderships: Leadership[]) => ({ at: 9, leaderships });
const leadership = (election: string, id: string, term: number, to?: number): Leadership => {
  const present = { election, id, term, from: 1 };
  return to === undefined ? present : { ...present, to };
};

test("each new leader is announced with its name, its election and its term", () => {
  const before = led(leadership("orders", "amber-bear-0123456789abcdef", 3));
  assert.equal(leaderChanges(before, before), "");
  const after = led(
    leadership("orders", "amber-bear-0123456789abcdef", 3, 8),
    leadership("orders", "bold-fox-0123456789abcdef", 4),
  );
  assert.equal(leaderChanges(before, after), "bold fox leads orders in term 4.");
});

test("the end of a leadership without a successor is announced once", () => {
  const before = led(leadership("orders", "ann", 3));
  const after = led(leadership("orders", "ann", 3, 8));
  assert.equal(leaderChanges(before, after), "Nobody leads orders.");
  assert.equal(leaderChanges(after, after), "");
});

test("many changes at once are announced as their number", () => {
  const many = Array.from({ length: 12 }, (_, i) => leadership(`orders-${i}`, "ann", 1));
  assert.equal(leaderChanges(led(), led(...many)), "The leaders of 12 elections have changed.");
});
