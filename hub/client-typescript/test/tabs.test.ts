import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { Word } from "../src/tab-words.js";
import { believes, holds, initialTab, stepTab, type TabEffect, type TabInput, type TabState } from "../src/tabs.js";

const SETTINGS = {
  heartbeatMillis: 1000,
  silentMillis: 5000,
  bidMillis: 1000,
  lagMillis: 1500,
  restMillis: 30_000,
  restMaxMillis: 600_000,
  unfitMillis: 5000,
  unfitMaxMillis: 60_000,
};
const WALL = 1_000_000;

let state: TabState;
let at: number;
let wall: number;
let wakeAt: number | null;

beforeEach(() => {
  state = initialTab(SETTINGS, "me", "my device");
  at = 0;
  wall = WALL;
});

/** Feeds one input and returns the effects as text. A `say` is shown with the kind of its message. */
function feed(input: TabInput): string[] {
  const step = stepTab(state, { now: at, wall: wall + at }, input);
  state = step.state;
  wakeAt = step.wakeAt;
  return step.effects.map(name);
}

function name(effect: TabEffect): string {
  if (effect.type === "say") return `say ${effect.word.kind}`;
  if (effect.type === "follow") return `follow ${effect.holder?.tab ?? "nobody"}`;
  return effect.type === "release" ? `release ${effect.when}` : effect.type;
}

/** Advances the time, runs all due ticks, and returns their effects. */
function pass(millis: number): string[] {
  const end = at + millis;
  const effects: string[] = [];
  while (wakeAt !== null && wakeAt <= end) {
    at = wakeAt;
    effects.push(...feed({ type: "tick" }));
  }
  at = end;
  return effects;
}

function heartbeat(from: string, generation: number, stolen = false): Word {
  return { v: 1, from, kind: "heartbeat", generation, device: `device of ${from}`, stolen };
}

function bid(from: string, visible: boolean): Word {
  return { v: 1, from, kind: "bid", visible };
}

const hear = (word: Word): string[] => feed({ type: "heard", word });
const start = (visible = true): string[] => feed({ type: "start", visible });
/** Follows `ann`, who falls silent, until this tab sends its steal request. */
function upToTheBid(): void {
  start();
  hear(heartbeat("ann", 7));
  assert.deepEqual(pass(5999), ["follow nobody", "say bid"]);
}

describe("the tab machine", () => {
  it("T2_asks_for_the_lock_opens_when_it_is_granted_and_beats", () => {
    assert.deepEqual(start(), ["say hello", "ask"]);
    assert.deepEqual(feed({ type: "granted" }), ["say heartbeat", "open"]);
    assert.ok(holds(state));
    assert.deepEqual(pass(2000), ["say heartbeat", "say heartbeat"]);
    assert.deepEqual(feed({ type: "close" }), ["shut", "say bye", "release left"]);
    assert.equal(wakeAt, null);
  });

  it("T3_stops_and_waits_again_when_it_is_robbed", () => {
    start();
    feed({ type: "granted" });
    assert.deepEqual(feed({ type: "robbed" }), ["shut", "ask"]);
  });

  it("T4_believes_the_newest_holder_only", () => {
    start();
    assert.deepEqual(hear(heartbeat("ann", 7)), ["follow ann", "say hello"]);
    assert.equal(state.device, "device of ann");
    assert.deepEqual(hear(heartbeat("ben", 8)), ["follow ben", "say hello"]);
    assert.deepEqual(hear(heartbeat("ann", 7)), []);
    assert.equal(believes(state, heartbeat("ann", 7)), false);
    assert.ok(believes(state, heartbeat("ben", 8)));
  });

  it("T4_is_newer_than_all_it_heard_of_although_the_clock_was_set_back", () => {
    start();
    hear(heartbeat("ann", WALL * 2));
    feed({ type: "granted" });
    assert.equal(state.generation, WALL * 2 + 1);
    assert.deepEqual(hear(heartbeat("ben", WALL * 3)), ["say heartbeat"]);
    assert.equal(state.generation, WALL * 3 + 1);
  });

  it("T5_asks_before_it_steals_and_takes_any_word_of_the_holder_for_an_answer", () => {
    upToTheBid();
    hear(bid("me", true));
    assert.deepEqual(hear(heartbeat("ann", 7)), ["follow ann", "say hello"]);
    assert.deepEqual(pass(4000), []);
  });

  it("T5_answers_at_once_when_it_holds_the_lock", () => {
    start();
    feed({ type: "granted" });
    assert.deepEqual(hear(bid("ben", true)), ["say heartbeat"]);
  });

  it("T6_knows_nothing_of_a_silence_that_it_slept_through_by_either_clock", () => {
    start();
    hear(heartbeat("ann", 7));
    at += 60_000;
    assert.deepEqual(feed({ type: "tick" }), []);
    assert.deepEqual(pass(3000), []);
    wall += 60_000;
    assert.deepEqual(pass(4500), []);
    assert.deepEqual(pass(2000), ["follow nobody", "say bid"]);
  });

  it("T7_steals_if_its_bid_is_the_best", () => {
    upToTheBid();
    hear(bid("me", true));
    hear(bid("zoe", true));
    assert.deepEqual(pass(1001), ["leaveQueue", "steal"]);
    assert.deepEqual(feed({ type: "granted" }), ["say heartbeat", "open"]);
    assert.ok(state.stolen);
  });

  it("T7_leaves_it_to_a_better_bid_that_came_before_or_after", () => {
    upToTheBid();
    hear(bid("me", true));
    hear(bid("ann's friend", true));
    assert.deepEqual(pass(4000), []);
    assert.deepEqual(pass(1500), ["say bid"], "that one did not: another round");
    hear(bid("me", true));
    feed({ type: "visibility", visible: false });
    assert.deepEqual(pass(1000), ["leaveQueue", "steal"]);
  });

  it("T7_prefers_a_tab_that_is_looked_at", () => {
    upToTheBid();
    hear(bid("me", true));
    hear(bid("a hidden one", false));
    assert.deepEqual(pass(1001), ["leaveQueue", "steal"]);
  });

  it("T8_does_not_steal_unless_it_heard_its_own_bid", () => {
    upToTheBid();
    assert.deepEqual(pass(4000), []);
  });

  it("T9_rests_after_a_steal_its_own_or_another_s", () => {
    start();
    hear(heartbeat("ben", 8, true));
    assert.deepEqual(pass(29_000), ["follow nobody"]);
    assert.deepEqual(pass(1500), ["say bid"]);
    hear(bid("me", true));
    assert.deepEqual(pass(1000), ["leaveQueue", "steal"]);
    feed({ type: "granted" });
    feed({ type: "robbed" });
    assert.deepEqual(pass(28_000), []);
    assert.ok(pass(2000).includes("say bid"));
    hear(bid("me", true));
    assert.ok(pass(1500).includes("steal"));
    feed({ type: "granted" });
    feed({ type: "robbed" });
    assert.deepEqual(pass(58_000), [], "twice as long");
  });

  it("T10_passes_the_lock_on_once_for_a_visible_tab", () => {
    start(false);
    hear({ v: 1, from: "ben", kind: "here", visible: true });
    assert.deepEqual(feed({ type: "granted" }), ["release now"]);
    assert.deepEqual(feed({ type: "released" }), ["ask"]);
    assert.deepEqual(feed({ type: "granted" }), ["say heartbeat", "open"]);
  });

  it("T10_makes_way_if_it_is_hidden_and_its_timers_are_held_back_but_not_again_soon", () => {
    start(false);
    feed({ type: "granted" });
    assert.deepEqual(hear(bid("ben", true)), ["say heartbeat"], "in time");
    at += 60_000;
    feed({ type: "tick" });
    assert.deepEqual(hear(bid("ben", true)), ["shut", "say bye", "release left"]);
    assert.deepEqual(feed({ type: "released" }), ["ask"]);
    feed({ type: "granted" });
    assert.deepEqual(hear(bid("ben", true)), ["say heartbeat"]);
  });

  it("T11_leaves_the_lock_to_others_for_a_while_if_the_hub_refuses_it", () => {
    start();
    feed({ type: "granted" });
    assert.deepEqual(feed({ type: "failed" }), ["shut", "say bye", "release left"]);
    assert.deepEqual(feed({ type: "released" }), []);
    assert.ok(!pass(4999).includes("ask"));
    assert.ok(pass(2).includes("ask"));
    feed({ type: "granted" });
    feed({ type: "failed" });
    feed({ type: "released" });
    assert.ok(!pass(9999).includes("ask"), "twice as long");
  });

  it("T12_gives_up_lock_and_place_before_it_stands_still", () => {
    start();
    assert.deepEqual(feed({ type: "away" }), ["leaveQueue", "say bye"]);
    assert.deepEqual(hear(heartbeat("ann", 7)), []);
    assert.deepEqual(feed({ type: "back", visible: true }), ["say hello", "ask"]);
    feed({ type: "granted" });
    assert.deepEqual(feed({ type: "away" }), ["shut", "say bye", "release now"]);
    feed({ type: "close" });
    assert.deepEqual(feed({ type: "back", visible: true }), []);
  });

  it("T12_gives_back_a_lock_that_was_granted_in_its_sleep", () => {
    start();
    feed({ type: "away" });
    assert.deepEqual(feed({ type: "granted" }), ["release now"]);
  });
});
