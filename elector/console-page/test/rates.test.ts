import assert from "node:assert/strict";
import { test } from "node:test";
import type { HubSnapshot } from "../src/snapshot.js";
import { RateMeter, rateText } from "../src/rates.js";

const snapshot = (at: number, received: number): HubSnapshot => ({
  at,
  connections: 0,
  received,
  delivered: received * 2,
  refused: 0,
  channelsInAll: 0,
  channelsFound: 0,
  membersInAll: 0,
  leadersInAll: 0,
  channels: [],
  leaderships: [],
  refusals: [],
});

test("a rate is the average over the last five seconds", () => {
  const meter = new RateMeter();
  assert.deepEqual(meter.next(snapshot(0, 1000)), { received: 0, delivered: 0, refused: 0 });
  assert.deepEqual(meter.next(snapshot(2000, 1010)), { received: 5, delivered: 10, refused: 0 });
  for (let second = 3; second <= 20; second++) meter.next(snapshot(second * 1000, 1010));
  assert.equal(meter.next(snapshot(21_000, 1010)).received, 0);
});

test("a restart of the hub resets the rates, and no rate is negative", () => {
  const meter = new RateMeter();
  meter.next(snapshot(0, 1000));
  assert.equal(meter.next(snapshot(1000, 3)).received, 0);
  assert.equal(meter.next(snapshot(2000, 5)).received, 2);
});

test("a small rate has one decimal", () => {
  assert.deepEqual([0, 0.25, 12.34, 1234.5].map(rateText), ["0", "0.3", "12.3", "1,235"]);
});
