import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Timeline } from "../src/timeline.js";

const SILENCE_LIMIT_MILLIS = 3000;

describe("the timeline", () => {
  it("measures_from_the_last_message_to_the_first_message_of_the_next_term", () => {
    const timeline = new Timeline(SILENCE_LIMIT_MILLIS);
    timeline.leaderChanged({ id: "ann", term: 1 }, 0);
    timeline.messageFrom(1, 900);
    timeline.leaderChanged(null, 1000);
    assert.equal(timeline.silentSince(1000), 900);
    timeline.messageFrom(1, 1001);
    timeline.leaderChanged({ id: "ben", term: 2 }, 1050);
    timeline.messageFrom(2, 1060);
    assert.equal(timeline.silentSince(1061), null);
    assert.deepEqual(timeline.takeover, { term: 2, silenceMillis: 59 });
  });

  it("counts_the_silence_of_a_leader_before_its_loss_is_known", () => {
    const timeline = new Timeline(SILENCE_LIMIT_MILLIS);
    timeline.leaderChanged({ id: "ann", term: 1 }, 0);
    timeline.messageFrom(1, 900);
    assert.equal(timeline.silentSince(900 + SILENCE_LIMIT_MILLIS), null);
    assert.equal(timeline.silentSince(901 + SILENCE_LIMIT_MILLIS), 900);
    timeline.leaderChanged({ id: "ben", term: 2 }, 6000);
    timeline.messageFrom(2, 6100);
    assert.deepEqual(timeline.takeover, { term: 2, silenceMillis: 5200 });
  });

  it("marks_a_leadership_as_silent_from_its_last_message", () => {
    const timeline = new Timeline(SILENCE_LIMIT_MILLIS);
    timeline.leaderChanged({ id: "ann", term: 1 }, 0);
    timeline.messageFrom(1, 900);
    timeline.leaderChanged({ id: "ben", term: 2 }, 6000);
    timeline.messageFrom(2, 6100);
    timeline.leaderChanged({ id: "cid", term: 3 }, 7000);
    assert.deepEqual(
      timeline.leaderships.map((leadership) => timeline.silentFrom(leadership, 8000)),
      [900, null, null],
    );
  });

  it("measures_nothing_during_a_suspension_of_the_page", () => {
    const timeline = new Timeline(SILENCE_LIMIT_MILLIS);
    timeline.leaderChanged({ id: "ann", term: 1 }, 0);
    timeline.stopMeasuring();
    timeline.leaderChanged({ id: "ben", term: 2 }, 9000);
    timeline.messageFrom(2, 9001);
    assert.deepEqual([timeline.takeover, timeline.silentSince(9001)], [null, null]);
    timeline.startMeasuring();
    timeline.leaderChanged(null, 10_000);
    timeline.messageFrom(3, 10_070);
    assert.equal(timeline.takeover?.silenceMillis, 1069);
  });

  it("draws_one_bar_for_each_term", () => {
    const timeline = new Timeline(SILENCE_LIMIT_MILLIS);
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
