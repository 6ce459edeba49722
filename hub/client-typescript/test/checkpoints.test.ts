import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CHECKPOINT, Checkpoints, type Checkpoint } from "../src/checkpoints.js";

const heard = (checkpoints: Checkpoints, { term, seq, state }: Checkpoint): void =>
  checkpoints.observe({ name: CHECKPOINT, data: { term, seq, state }, extras: { headers: { "doyen-term": term } } }, 0);

/** Sends so many other messages that the checkpoint is about to leave the rewind. */
const others = (checkpoints: Checkpoints): void => {
  for (let i = 0; i < 25; i++) checkpoints.observe({ name: "chat" }, 0);
};

describe("checkpoints", () => {
  it("K18_are_not_renewed_with_a_state_older_than_the_last_one_written", () => {
    const checkpoints = new Checkpoints(50);
    heard(checkpoints, checkpoints.next(3, "first"));
    const second = checkpoints.next(3, "second");
    others(checkpoints);
    const renewed = checkpoints.renewal(3, 0);
    assert.deepEqual(renewed, { term: 3, seq: 3, state: "second" });
    heard(checkpoints, second);
    heard(checkpoints, renewed!);
    assert.equal(checkpoints.greatest?.state, "second");
  });

  it("K18_that_failed_are_not_written_again", () => {
    const checkpoints = new Checkpoints(50);
    heard(checkpoints, checkpoints.next(3, "first"));
    checkpoints.failed(checkpoints.next(3, "second"));
    others(checkpoints);
    assert.deepEqual(checkpoints.renewal(3, 0), { term: 3, seq: 2, state: "first" });
  });

  it("K18_of_an_earlier_term_are_renewed_as_they_were_heard", () => {
    const checkpoints = new Checkpoints(50);
    heard(checkpoints, checkpoints.next(3, "heard"));
    checkpoints.next(3, "lost with its term");
    others(checkpoints);
    assert.deepEqual(checkpoints.renewal(5, 0), { term: 5, seq: 1, state: "heard" });
  });

  it("K18_have_numbers_that_rise_also_before_they_are_heard", () => {
    const checkpoints = new Checkpoints(50);
    assert.deepEqual(
      [1, 2, 3].map((n) => checkpoints.next(4, n).seq),
      [1, 2, 3],
    );
    heard(checkpoints, { term: 4, seq: 9, state: "renewed" });
    assert.equal(checkpoints.next(4, 4).seq, 10);
  });
});
