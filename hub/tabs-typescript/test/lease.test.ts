import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { newLease } from "../src/lease.js";
import type { LeaseInput } from "../src/lease-state.js";

describe("the lease machine", () => {
  it("B4_reads_again_if_the_record_changes_during_a_read", () => {
    const lease = newLease({ candidate: false, ttlMillis: 5000, cooldownMillis: 5000 }, "me");
    const feed = (input: LeaseInput) => lease.step({ now: 0, wall: 0 }, input).effects;
    feed({ type: "start", visible: true });
    feed({ type: "changed" });
    assert.deepEqual(feed({ type: "stored", record: null, done: false }), [{ type: "read" }]);
  });

  it("B3_counts_the_leaders_time_from_before_the_write", () => {
    const lease = newLease({ candidate: true, ttlMillis: 5000, cooldownMillis: 5000 }, "me");
    const feed = (now: number, input: LeaseInput) => lease.step({ now, wall: now }, input).effects;
    feed(0, { type: "start", visible: true });
    const [claim] = feed(0, { type: "stored", record: null, done: false });
    assert.ok(claim?.type === "claim");
    feed(3000, { type: "stored", record: claim.record, done: true });
    assert.equal(lease.remainingMillis({ now: 3000, wall: 3000 }), 1000);
    assert.equal(lease.remainingMillis({ now: 4000, wall: 4000 }), 0);
  });
});
