import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Timeline } from "../src/timeline.js";

describe("the timeline", () => {
  it("measures_from_the_loss_to_the_first_message_of_the_next_term", () => {
    const timeline = new Timeline();
    timeline.leaderChanged({ id: "ann", term: 1 }, 0);
    timeline.messageFrom(1, 900);
    timeline.leaderChanged(null, 1000);
    assert.equal(timeline.runningSince, 1000);
    timeline.messageFrom(1, 1001);
    timeline.leaderChanged({ id: "ben", term: 2 }, 1050);
    timeline.messageFrom(2, 1060);
    assert.equal(timeline.runningSince, null);
    assert.deepEqual(timeline.takeover, { term: 2, millis: 60, silenceMillis: 59 });
  });

  it("measures_nothing_during_a_suspension_of_the_page", () => {
    const timeline = new Timeline();
    timeline.leaderChanged({ id: "ann", term: 1 }, 0);
    timeline.stopMeasuring();
    timeline.leaderChanged({ id: "ben", term: 2 }, 9000);
    timeline.messageFrom(2, 9001);
    assert.deepEqual([timeline.takeover, timeline.runningSince], [null, null]);
    timeline.startMeasuring();
    timeline.leaderChanged(null, 10_000);
    timeline.messageFrom(3, 10_070);
    assert.equal(timeline.takeover?.millis, 70);
  });

  it("draws_one_bar_for_each_term", () => {
    const timeline = new Timeline();
    timeline.leaderChanged({ id: "ann", term: 1 }, 0);
    timeline.leaderChanged({ id: "ann", term: 1 }, 5);
    timeline.leaderChanged({ id: "ann", term: 2 }, 10);
    timeline.leaderChanged({ id: "ben", term: 3 }, 20);
    assert.deepEqual(
      timeline.leaderships.map(({ term, from, to }) => [term, from, to]),
      [
        [1, 0, 10],
        [2, 10, 20],
        [3, 20, null],
      ],
    );
    assert.deepEqual(timeline.idsSince(15), ["ann", "ben"]);
  });
});
