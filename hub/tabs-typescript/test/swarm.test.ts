import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { NotLeadingError, Swarm, type Leadership, type SwarmOptions } from "../src/index.js";
import { MAX_STATE_BYTES } from "../src/leadership.js";
import type { FakeBrowser } from "./fake-browser.js";
import { newMembers, type Member } from "./members.js";

let browser: FakeBrowser;
let member: (options?: SwarmOptions) => Member;
let pair: () => Promise<[Member, Member]>;

beforeEach(() => {
  ({ browser, member, pair } = newMembers());
});

describe("an election among tabs", () => {
  it("has_one_leader_which_all_tabs_observe", async () => {
    const [one, other] = await pair();
    assert.deepEqual([one.swarm.isLeader, other.swarm.isLeader], [true, false]);
    assert.deepEqual(one.swarm.leader, { id: one.swarm.id, term: 1, self: true });
    assert.deepEqual(other.swarm.leader, { id: one.swarm.id, term: 1, self: false });
    await browser.advance(60_000);
    assert.deepEqual([one.events, other.events], [["elected 1"], []]);
  });

  it("B6_elects_the_next_tab_at_once_after_a_crash", async () => {
    const [one, other] = await pair();
    one.tab.crash();
    await browser.advance(10);
    assert.deepEqual(other.events, ["elected 2"]);
  });

  it("B6_elects_the_next_tab_at_once_when_the_leader_closes_or_freezes", async () => {
    const [one, other] = await pair();
    void one.swarm.close();
    await browser.advance(20);
    assert.deepEqual([one.events, other.events], [["elected 1", "closed"], ["elected 2"]]);
    const third = member();
    void third.swarm.connect();
    await browser.advance(100);
    other.tab.page!.away();
    assert.equal(other.swarm.isLeader, false, "before the browser stops the page");
    assert.equal(other.tab.locks.size, 0, "a page that freezes releases its lock at once");
    await browser.advance(20);
    assert.deepEqual([other.events, third.events], [["elected 2", "suspended"], ["elected 3"]]);
    other.tab.page!.back();
    await browser.advance(100);
    assert.equal(other.swarm.leader?.id, third.swarm.id);
  });

  it("B3_stops_leading_by_its_own_clocks_if_it_cannot_renew_its_lease", async () => {
    const [one, other] = await pair();
    const signal = one.swarm.leadership!.signal;
    browser.storageFails = true;
    await browser.advance(4100);
    assert.deepEqual([one.swarm.isLeader, signal.aborted, signal.reason], [false, true, "expired"]);
    assert.ok(one.errors.length > 0);
    browser.storageFails = false;
    await browser.advance(10_000);
    assert.equal([one, other].filter(({ swarm }) => swarm.isLeader).length, 1);
  });

  it("B5_a_suspended_computer_ends_the_term", async () => {
    const [one] = await pair();
    browser.wallShift += 600_000;
    assert.equal(one.swarm.isLeader, false);
  });

  it("B8_passes_the_saved_state_to_the_next_leader", async () => {
    const [one, other] = await pair();
    void one.swarm.checkpoint({ n: 1 });
    void one.swarm.checkpoint({ n: 2 });
    await browser.advance(50);
    one.tab.crash();
    await browser.advance(50);
    assert.deepEqual(other.swarm.leadership?.checkpoint, { term: 1, seq: 2, state: { n: 2 } });
  });

  it("B8_rejects_a_state_that_is_too_large_or_that_a_follower_saves", async () => {
    const [one, other] = await pair();
    const state = "x".repeat(MAX_STATE_BYTES - 1);
    await assert.rejects(
      one.swarm.checkpoint(state),
      /the state's JSON size in bytes is 49153, but must be an integer from 1 to 49152/,
    );
    await assert.rejects(other.swarm.checkpoint(1), NotLeadingError);
    await assert.rejects(other.swarm.publish("x"), NotLeadingError);
  });

  it("waits_for_the_work_of_whileLeading_before_it_releases_the_lease", async () => {
    const [one, other] = await pair();
    let stop = (): void => {};
    one.swarm.whileLeading(() => new Promise<void>((resolve) => (stop = resolve)));
    one.swarm.resign();
    await browser.advance(1000);
    assert.deepEqual([one.swarm.isLeader, other.swarm.isLeader], [false, false]);
    stop();
    await browser.advance(20);
    assert.deepEqual(other.events, ["elected 2"]);
    other.swarm.whileLeading(() => new Promise(() => {}));
    other.swarm.resign();
    await browser.advance(4100);
    assert.ok(one.swarm.isLeader, "work that does not stop delays the release only until the deadline");
  });

  it("shows_the_new_leader_in_onElection", async () => {
    const [one, other] = await pair();
    let seen: unknown;
    other.swarm.onElection = () => (seen = other.swarm.leader);
    one.swarm.resign();
    await browser.advance(50);
    assert.deepEqual(seen, { id: other.swarm.id, term: 2, self: true });
  });

  it("calls_a_listener_that_is_added_while_the_tab_leads_and_no_listener_that_is_removed", async () => {
    const { swarm, events, errors } = member();
    void swarm.connect();
    await browser.advance(100);
    const terms: string[] = [];
    swarm.onElection = ({ term }) => terms.push(`replaced ${term}`);
    swarm.onElection = async ({ term }) => {
      terms.push(`assigned ${term}`);
      throw new Error("rejected");
    };
    const remove = swarm.whileLeading(({ term }) => terms.push(`removed ${term}`));
    remove();
    const first = swarm.leadership;
    swarm.resign();
    await browser.advance(6000);
    assert.deepEqual(events, ["elected 1", "resigned", "elected 2"]);
    assert.deepEqual(terms, ["replaced 1", "assigned 1", "removed 1", "assigned 2"]);
    assert.deepEqual(errors.map(String), ["Error: rejected", "Error: rejected"]);
    assert.equal(first?.isLeader, false, "a leadership that has ended never starts again");
  });

  it("ends_the_leadership_object_before_the_next_tab_leads", async () => {
    const [one, other] = await pair();
    const first = one.swarm.leadership as Leadership;
    one.swarm.resign();
    assert.deepEqual([first.isLeader, first.signal.reason], [false, "resigned"]);
    await browser.advance(50);
    assert.ok(other.swarm.isLeader);
    await assert.rejects(first.save(1), NotLeadingError);
    await assert.rejects(first.publish("x"), NotLeadingError);
  });

  it("B7_a_hidden_leader_keeps_leading_although_its_timers_run_once_a_minute", async () => {
    const [one] = await pair();
    one.tab.isVisible = false;
    one.tab.page!.visibility();
    await browser.advance(50);
    assert.ok(one.swarm.remainingMillis > 90_000);
    assert.deepEqual(one.events, ["elected 1"]);
  });

  it("observes_without_campaigning_if_it_is_no_candidate", async () => {
    const { swarm, events } = member({ candidate: false });
    void swarm.connect();
    await browser.advance(30_000);
    assert.deepEqual([swarm.status, events, swarm.leader], ["connected", [], null]);
  });

  it("rejects_connect_if_the_browser_does_not_store_data_or_if_the_signal_aborts", async () => {
    browser.storageFails = true;
    const { swarm } = member();
    await Promise.all([assert.rejects(swarm.connect(), /IndexedDB.+storage is blocked/), browser.advance(10)]);
    assert.equal(swarm.status, "failed");
    const other = member();
    await assert.rejects(other.swarm.connect({ signal: AbortSignal.abort(new Error("left")) }), /left/);
    assert.equal(other.swarm.status, "closed");
    assert.throws(() => member({ ttlMillis: 999 }), /ttlMillis is 999, but must be an integer from 1000 to 60000/);
    assert.throws(() => new Swarm(""), /the length of the channel's name is 0, but must be an integer from 1 to 256/);
  });
});

describe("messages", () => {
  it("reach_all_tabs_and_drop_messages_of_former_leaders", async () => {
    const [one, other] = await pair();
    const received: unknown[] = [];
    other.swarm.subscribe(({ name, data, term }) => received.push([name, data, term]));
    await one.swarm.publish("tick", 1);
    await one.swarm.send("chat", "hello");
    await browser.advance(10);
    assert.deepEqual(received, [
      ["tick", 1, 1],
      ["chat", "hello", null],
    ]);
    one.swarm.resign();
    await browser.advance(50);
    await other.swarm.publish("tock");
    for (const { receive } of browser.receivers) receive({ name: "late", clientId: "x", term: 1 });
    assert.equal(received.length, 3);
  });
});
