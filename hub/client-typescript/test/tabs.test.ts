import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { TabMessage } from "../src/tab-messages.js";
import { believes, holds, initialTab, stepTab, type TabEffect, type TabInput, type TabState } from "../src/tabs.js";

const SETTINGS = {
  heartbeatMillis: 1000,
  silentMillis: 5000,
  bidMillis: 1000,
  lagMillis: 1500,
  stealCooldownMillis: 30_000,
  stealCooldownMaxMillis: 600_000,
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

/** Feeds one input and returns the effects as text. The text of a `send` contains the kind of its message. */
function feed(input: TabInput): string[] {
  const step = stepTab(state, { now: at, wall: wall + at }, input);
  state = step.state;
  wakeAt = step.wakeAt;
  return step.effects.map(name);
}

function name(effect: TabEffect): string {
  if (effect.type === "send") return `send ${effect.message.kind}`;
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

function heartbeat(from: string, generation: number, stolen = false): TabMessage {
  return { v: 1, from, kind: "heartbeat", generation, device: `device of ${from}`, stolen };
}

function bid(from: string, visible: boolean): TabMessage {
  return { v: 1, from, kind: "bid", visible };
}

const receive = (message: TabMessage): string[] => feed({ type: "received", message });
const start = (visible = true): string[] => feed({ type: "start", visible });
/**
 * Lets this tab follow the tab `ann`. Then `ann` becomes silent, and after some time this tab sends its steal request.
 */
function upToTheBid(): void {
  start();
  receive(heartbeat("ann", 7));
  assert.deepEqual(pass(5999), ["follow nobody", "send bid"]);
}

describe("the tab machine", () => {
  it("T2_requests_the_lock_and_then_opens_the_socket_and_sends_heartbeats", () => {
    assert.deepEqual(start(), ["send hello", "ask"]);
    assert.deepEqual(feed({ type: "granted" }), ["send heartbeat", "open"]);
    assert.ok(holds(state));
    assert.deepEqual(pass(2000), ["send heartbeat", "send heartbeat"]);
    assert.deepEqual(feed({ type: "close" }), ["shut", "send bye", "release left"]);
    assert.equal(wakeAt, null);
  });

  it("T3_stops_and_waits_again_when_its_lock_is_stolen", () => {
    start();
    feed({ type: "granted" });
    assert.deepEqual(feed({ type: "robbed" }), ["shut", "ask"]);
  });

  it("T4_follows_only_the_newest_holder", () => {
    start();
    assert.deepEqual(receive(heartbeat("ann", 7)), ["follow ann", "send hello"]);
    assert.equal(state.device, "device of ann");
    assert.deepEqual(receive(heartbeat("ben", 8)), ["follow ben", "send hello"]);
    assert.deepEqual(receive(heartbeat("ann", 7)), []);
    assert.equal(believes(state, heartbeat("ann", 7)), false);
    assert.ok(believes(state, heartbeat("ben", 8)));
  });

  it("T4_has_a_higher_generation_than_all_received_holders_even_if_the_clock_was_set_back", () => {
    start();
    receive(heartbeat("ann", WALL * 2));
    feed({ type: "granted" });
    assert.equal(state.generation, WALL * 2 + 1);
    assert.deepEqual(receive(heartbeat("ben", WALL * 3)), ["send heartbeat"]);
    assert.equal(state.generation, WALL * 3 + 1);
  });

  it("T5_sends_a_request_before_it_steals_and_accepts_any_message_of_the_holder", () => {
    upToTheBid();
    receive(bid("me", true));
    assert.deepEqual(receive(heartbeat("ann", 7)), ["follow ann", "send hello"]);
    assert.deepEqual(pass(4000), []);
  });

  it("T5_answers_at_once_when_it_holds_the_lock", () => {
    start();
    feed({ type: "granted" });
    assert.deepEqual(receive(bid("ben", true)), ["send heartbeat"]);
  });

  it("T6_does_not_count_a_silence_during_its_own_suspension", () => {
    start();
    receive(heartbeat("ann", 7));
    at += 60_000;
    assert.deepEqual(feed({ type: "tick" }), []);
    assert.deepEqual(pass(3000), []);
    wall += 60_000;
    assert.deepEqual(pass(4500), []);
    assert.deepEqual(pass(2000), ["follow nobody", "send bid"]);
  });

  it("T7_steals_if_its_request_is_the_best", () => {
    upToTheBid();
    receive(bid("me", true));
    receive(bid("zoe", true));
    assert.deepEqual(pass(1001), ["leaveQueue", "steal"]);
    assert.deepEqual(feed({ type: "granted" }), ["send heartbeat", "open"]);
    assert.ok(state.stolen);
  });

  it("T7_leaves_the_lock_to_a_better_request", () => {
    upToTheBid();
    receive(bid("me", true));
    receive(bid("ann's friend", true));
    assert.deepEqual(pass(4000), []);
    assert.deepEqual(pass(1500), ["send bid"], "the better tab did not steal, so this tab sends another request");
    receive(bid("me", true));
    feed({ type: "visibility", visible: false });
    assert.deepEqual(pass(1000), ["leaveQueue", "steal"]);
  });

  it("T7_prefers_a_visible_tab", () => {
    upToTheBid();
    receive(bid("me", true));
    receive(bid("a hidden one", false));
    assert.deepEqual(pass(1001), ["leaveQueue", "steal"]);
  });

  it("T8_does_not_steal_unless_it_received_its_own_request", () => {
    upToTheBid();
    assert.deepEqual(pass(4000), []);
  });

  it("T9_waits_after_any_steal", () => {
    start();
    receive(heartbeat("ben", 8, true));
    assert.deepEqual(pass(29_000), ["follow nobody"]);
    assert.deepEqual(pass(1500), ["send bid"]);
    receive(bid("me", true));
    assert.deepEqual(pass(1000), ["leaveQueue", "steal"]);
    feed({ type: "granted" });
    feed({ type: "robbed" });
    assert.deepEqual(pass(28_000), []);
    assert.ok(pass(2000).includes("send bid"));
    receive(bid("me", true));
    assert.ok(pass(1500).includes("steal"));
    feed({ type: "granted" });
    feed({ type: "robbed" });
    assert.deepEqual(pass(58_000), [], "the cooldown has doubled");
  });

  it("T10_passes_the_lock_on_once_for_a_visible_tab", () => {
    start(false);
    receive({ v: 1, from: "ben", kind: "here", visible: true });
    assert.deepEqual(feed({ type: "granted" }), ["release now"]);
    assert.deepEqual(feed({ type: "released" }), ["ask"]);
    assert.deepEqual(feed({ type: "granted" }), ["send heartbeat", "open"]);
  });

  it("T10_releases_the_lock_if_it_is_hidden_and_throttled_but_not_repeatedly", () => {
    start(false);
    feed({ type: "granted" });
    assert.deepEqual(receive(bid("ben", true)), ["send heartbeat"], "the holder is not slow");
    at += 60_000;
    feed({ type: "tick" });
    assert.deepEqual(receive(bid("ben", true)), ["shut", "send bye", "release left"]);
    assert.deepEqual(feed({ type: "released" }), ["ask"]);
    feed({ type: "granted" });
    assert.deepEqual(receive(bid("ben", true)), ["send heartbeat"]);
  });

  it("T11_does_not_request_the_lock_for_a_while_after_the_hub_rejects_the_connection", () => {
    start();
    feed({ type: "granted" });
    assert.deepEqual(feed({ type: "failed" }), ["shut", "send bye", "release left"]);
    assert.deepEqual(feed({ type: "released" }), []);
    assert.ok(!pass(4999).includes("ask"));
    assert.ok(pass(2).includes("ask"));
    feed({ type: "granted" });
    feed({ type: "failed" });
    feed({ type: "released" });
    assert.ok(!pass(9999).includes("ask"), "the delay has doubled");
  });

  it("T12_releases_lock_and_membership_before_it_is_frozen", () => {
    start();
    assert.deepEqual(feed({ type: "away" }), ["leaveQueue", "send bye"]);
    assert.deepEqual(receive(heartbeat("ann", 7)), []);
    assert.deepEqual(feed({ type: "back", visible: true }), ["send hello", "ask"]);
    feed({ type: "granted" });
    assert.deepEqual(feed({ type: "away" }), ["shut", "send bye", "release now"]);
    feed({ type: "close" });
    assert.deepEqual(feed({ type: "back", visible: true }), []);
  });

  it("T12_releases_a_lock_that_was_granted_while_it_was_frozen", () => {
    start();
    feed({ type: "away" });
    assert.deepEqual(feed({ type: "granted" }), ["release now"]);
  });
});
