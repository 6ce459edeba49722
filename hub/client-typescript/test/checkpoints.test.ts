import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Checkpoint } from "@doyen/tabs/api";
import { CHECKPOINT, Checkpoints } from "../src/checkpoints.js";

const received = (checkpoints: Checkpoints, { term, seq, state }: Checkpoint): void =>
  checkpoints.observe({ name: CHECKPOINT, data: { term, seq, state }, extras: { headers: { "doyen-term": term } } }, 0);

/** Receives 25 other messages, which is half of the rewind of 50. The last checkpoint must then be written again. */
const others = (checkpoints: Checkpoints): void => {
  for (let i = 0; i < 25; i++) checkpoints.observe({ name: "chat" }, 0);
};

describe("the checkpoints of a swarm", () => {
  it("K18_are_never_renewed_with_an_older_state_than_the_last_write", () => {
    const checkpoints = new Checkpoints(50);
    received(checkpoints, checkpoints.next(3, "first"));
    const second = checkpoints.next(3, "second");
    others(checkpoints);
    const renewed = checkpoints.renewal(3, 0);
    assert.deepEqual(renewed, { term: 3, seq: 3, state: "second" });
    received(checkpoints, second);
    received(checkpoints, renewed!);
    assert.equal(checkpoints.greatest?.state, "second");
  });

  it("K18_are_not_written_again_if_they_failed", () => {
    const checkpoints = new Checkpoints(50);
    received(checkpoints, checkpoints.next(3, "first"));
    checkpoints.failed(checkpoints.next(3, "second"));
    others(checkpoints);
    assert.deepEqual(checkpoints.renewal(3, 0), { term: 3, seq: 2, state: "first" });
  });

  it("K18_are_renewed_as_received_if_they_are_of_an_earlier_term", () => {
    const checkpoints = new Checkpoints(50);
    received(checkpoints, checkpoints.next(3, "received"));
    checkpoints.next(3, "lost with its term");
    others(checkpoints);
    assert.deepEqual(checkpoints.renewal(5, 0), { term: 5, seq: 1, state: "received" });
  });

  it("K18_have_rising_numbers_before_they_are_received", () => {
    const checkpoints = new Checkpoints(50);
    assert.deepEqual(
      [1, 2, 3].map((n) => checkpoints.next(4, n).seq),
      [1, 2, 3],
    );
    received(checkpoints, { term: 4, seq: 9, state: "renewed" });
    assert.equal(checkpoints.next(4, 4).seq, 10);
  });
});
