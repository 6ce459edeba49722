import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { RingSwarm, type RingBehaviour, type RingLeadership, type RingLoss } from "../src/ring-swarm.js";
import type { FakeClient } from "./fake/client.js";
import { FakeHub } from "./fake/hub.js";
import { ManualTime } from "./fake/time.js";

interface Page {
  readonly ring: RingSwarm;
  readonly client: FakeClient;
  readonly elections: RingLeadership[];
  readonly losses: RingLoss[];
  readonly errors: unknown[];
}

let time: ManualTime;
let hub: FakeHub;

beforeEach(() => {
  time = new ManualTime();
  hub = new FakeHub(time);
});

async function join(id: string, behaviour: RingBehaviour = {}): Promise<Page> {
  const client = hub.client(id);
  const errors: unknown[] = [];
  const ring = new RingSwarm("room", { client, clock: time, onError: (error) => errors.push(error), ...behaviour });
  const page: Page = { ring, client, elections: [], losses: [], errors };
  ring.onElection((leadership) => page.elections.push(leadership));
  ring.onDemotion((reason) => page.losses.push(reason));
  void ring.connect();
  await time.advance(40);
  return page;
}

async function three(): Promise<[Page, Page, Page]> {
  const pages: [Page, Page, Page] = [await join("ann"), await join("bob"), await join("cyd")];
  await time.advance(1000);
  return pages;
}

/** Exactly one of them leads, and all name it. */
function leaderOf(pages: readonly Page[]): Page {
  const leaders = pages.filter(({ ring }) => ring.isLeader);
  assert.equal(leaders.length, 1, JSON.stringify(pages.map(({ ring }) => [ring.id, ring.leader, ring.members])));
  const [leader] = leaders as [Page];
  for (const { ring } of pages) {
    assert.deepEqual(ring.leader, { id: leader.ring.id, term: leader.ring.term, self: ring === leader.ring });
    assert.equal(ring.members.length, pages.length);
  }
  return leader;
}

function leaders(pages: readonly Page[]): Page[] {
  return pages.filter(({ ring }) => ring.isLeader);
}

/** Gives the leader work that does not end before the result is called. */
async function workOf({ ring }: Page): Promise<() => void> {
  let end = (): void => {};
  const work = new Promise<void>((resolve) => (end = resolve));
  const remove = ring.onElection(() => {
    remove();
    return work;
  });
  await time.advance(1);
  return end;
}

/** The kind of the message in a letter, by its number on the wire. */
function kindOf(data: unknown): number | undefined {
  const { m } = data as { m?: string };
  return m === undefined ? undefined : Buffer.from(m, "base64")[1];
}

describe("a ring on a channel", () => {
  it("elects_the_only_member", async () => {
    const ann = await join("ann");
    await time.advance(200);
    assert.equal(leaderOf([ann]), ann);
    assert.equal(ann.elections[0]?.term, 1);
    assert.equal(ann.ring.status, "connected");
    assert.deepEqual(ann.errors, []);
  });

  it("elects_one_of_three_that_all_name_and_keeps_it_when_another_joins", async () => {
    const pages = await three();
    const leader = leaderOf(pages);
    const term = leader.ring.term;
    const dora = await join("dora");
    await time.advance(1000);
    assert.equal(leaderOf([...pages, dora]), leader);
    assert.equal(leader.ring.term, term);
    assert.equal(leader.elections.length, 1);
    assert.deepEqual(
      pages.flatMap(({ errors }) => errors),
      [],
    );
  });

  it("three_that_come_at_once_are_one_ring", async () => {
    const pages = await Promise.all(["ann", "bob", "cyd"].map((id) => join(id)));
    await time.advance(2000);
    leaderOf(pages);
  });

  it("elects_another_when_the_leader_closes_with_a_greater_term", async () => {
    const pages = await three();
    const first = leaderOf(pages);
    const term = first.ring.term ?? 0;
    void first.ring.close();
    await time.advance(1000);
    const second = leaderOf(pages.filter((page) => page !== first));
    assert.ok((second.ring.term ?? 0) > term);
    assert.deepEqual(first.losses, ["closed"]);
    assert.equal(first.ring.status, "closed");
  });

  it("leaves_out_who_is_silent_and_takes_it_back_when_it_is_heard", async () => {
    const pages = await three();
    const first = leaderOf(pages);
    first.client.fallSilent();
    // Its own time is up first: 0.8 of follow; the others leave it out after four times a second.
    await time.advance(4000);
    assert.equal(first.ring.isLeader, false);
    await time.advance(2000);
    const others = pages.filter((page) => page !== first);
    const second = leaderOf(others);
    first.client.comeBack(true);
    await time.advance(3000);
    assert.equal(leaderOf(pages), second);
  });

  it("who_hears_nobody_not_even_itself_leaves_nobody_out_and_does_not_lead", async () => {
    const pages = await three();
    const cut = pages.find(({ ring }) => !ring.isLeader) as Page;
    cut.client.fallSilent();
    await time.advance(20_000);
    assert.equal(cut.ring.isLeader, false);
    assert.equal(cut.ring.members.length, 3);
    leaderOf(pages.filter((page) => page !== cut));
  });

  it("a_connection_that_the_hub_forgot_comes_back_as_the_same_member", async () => {
    const pages = await three();
    const leader = leaderOf(pages);
    const follower = pages.find((page) => page !== leader) as Page;
    follower.client.comeBack(false);
    await time.advance(2000);
    assert.equal(leaderOf(pages), leader);
    assert.deepEqual(leader.losses, []);
  });

  it("a_leader_that_resigns_does_not_stand_for_a_while", async () => {
    const pages = await three();
    const first = leaderOf(pages);
    first.ring.resign();
    await time.advance(1000);
    assert.notEqual(leaderOf(pages), first);
    assert.deepEqual(first.losses, ["resigned"]);
  });

  it("a_leader_hands_over_to_the_member_it_names_once_its_work_has_stopped", async () => {
    const pages = await three();
    const leader = leaderOf(pages);
    const heir = pages.find((page) => page !== leader) as Page;
    const term = leader.ring.term as number;
    let stopped = (): void => {};
    leader.ring.onDemotion(() => new Promise<void>((resolve) => (stopped = resolve)));
    assert.throws(() => heir.ring.transferTo("ann"), /does not lead; ask "/);

    leader.ring.transferTo(heir.ring.id);
    await time.advance(400);
    assert.deepEqual(leader.losses, ["transferred"]);
    assert.deepEqual(
      pages.filter(({ ring }) => ring.isLeader),
      [],
    );
    stopped();
    await time.advance(400);
    assert.equal(leaderOf(pages), heir);
    assert.equal(heir.ring.term, term + 1);
    assert.deepEqual(leader.errors, []);
  });

  it("a_hand_over_to_nobody_is_an_election_and_onError_is_told", async () => {
    const pages = await three();
    const leader = leaderOf(pages);
    leader.ring.transferTo("nobody");
    await time.advance(500);
    assert.notEqual(leaderOf(pages), leader);
    assert.match(String(leader.errors[0]), /"nobody" does not follow as it was to: the view has no other member/);
  });

  it("nobody_leads_before_the_work_of_the_one_before_has_stopped_R9", async () => {
    const pages = await three();
    const first = leaderOf(pages);
    let stop = (): void => {};
    first.ring.onDemotion(() => new Promise<void>((resolve) => (stop = resolve)));
    first.ring.resign();
    await time.advance(1500);
    assert.equal(pages.filter(({ ring }) => ring.isLeader).length, 0);
    stop();
    await time.advance(2000);
    assert.notEqual(leaderOf(pages), first);
  });

  it("who_closes_leaves_when_its_work_has_stopped_and_passes_messages_on_until_then", async () => {
    const pages = await three();
    const first = leaderOf(pages);
    let stop = (): void => {};
    first.ring.onDemotion(() => new Promise<void>((resolve) => (stop = resolve)));
    const closed = first.ring.close();
    await time.advance(1500);
    assert.equal(pages.filter(({ ring }) => ring.isLeader).length, 0);
    assert.equal(pages.find((page) => page !== first)?.ring.members.length, 3);
    stop();
    await time.advance(2000);
    await closed;
    leaderOf(pages.filter((page) => page !== first));
  });

  it("a_leave_that_only_the_sdk_concluded_does_not_count_with_its_time", async () => {
    const pages = await three();
    const [ann, bob] = pages;
    const { id } = bob.client.connection;
    const wrong = {
      action: "leave",
      clientId: "bob",
      connectionId: id,
      data: null,
      timestamp: time.wallMillis() + 1e9,
    };
    ann.client.gotPresence(wrong as never);
    await time.advance(500);
    const numbers = hub.history.map(({ data }) => (data as { view: [number, string] }).view[0]);
    assert.ok(Math.max(...numbers) < time.wallMillis() + 1000);
  });

  it("work_that_does_not_stop_holds_the_others_up_no_longer_than_it_could_have_led", async () => {
    const pages = await three();
    const first = leaderOf(pages);
    first.ring.onDemotion(() => new Promise<void>(() => {}));
    const spare = first.ring.remainingMillis;
    first.ring.resign();
    await time.advance(spare - 1);
    assert.deepEqual(leaders(pages), []);
    await time.advance(500);
    leaderOf(pages);
  });

  it("what_onElection_returns_is_work_which_the_signal_ends_and_nobody_leads_before_it_has", async () => {
    const pages = await three();
    const first = leaderOf(pages);
    const heir = pages.find((page) => page !== first) as Page;
    // It comes late, and is told of the term that lasts.
    first.ring.onElection(async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      await new Promise<void>((resolve) => time.after(400, resolve));
    });
    await time.advance(1);
    first.ring.transferTo(heir.ring.id);
    await time.advance(395);
    assert.deepEqual(leaders(pages), []);
    await time.advance(200);
    assert.equal(leaderOf(pages), heir);
    assert.deepEqual(first.errors, []);
  });

  it("work_that_has_ended_before_its_term_holds_nobody_up", async () => {
    const ann = await join("ann");
    ann.ring.onElection(async () => {});
    const bob = await join("bob");
    await time.advance(1000);
    ann.ring.resign();
    await time.advance(100);
    assert.equal(leaderOf([ann, bob]), bob);
  });

  it("who_is_elected_again_is_told_so_when_the_work_of_the_term_before_has_stopped", async () => {
    const ann = await join("ann", { cooldownMillis: 0 });
    await time.advance(200);
    const end = await workOf(ann);
    ann.ring.resign();
    await time.advance(1000);
    assert.deepEqual([ann.elections.length, ann.ring.isLeader], [1, false]);
    assert.equal(ann.ring.leader?.self, true);
    end();
    await time.advance(1);
    assert.deepEqual(
      ann.elections.map(({ term, isLeader }) => [term, isLeader]),
      [
        [1, false],
        [2, true],
      ],
    );
    await time.advance(10_000);
    assert.deepEqual([ann.ring.isLeader, ann.errors], [true, []]);
  });

  it("a_term_that_came_and_went_while_the_work_of_the_one_before_went_on_is_told_to_nobody", async () => {
    const ann = await join("ann", { cooldownMillis: 0 });
    await time.advance(200);
    const end = await workOf(ann);
    ann.ring.resign();
    await time.advance(500);
    ann.ring.resign();
    await time.advance(500);
    end();
    await time.advance(1);
    assert.deepEqual([ann.elections.map(({ term }) => term), ann.losses], [[1, 3], ["resigned"]]);
  });

  it("who_has_work_that_outlives_the_time_to_lead_stands_back_until_it_has_stopped_and_onError_is_told", async () => {
    const ann = await join("ann", { cooldownMillis: 0 });
    const end = await workOf(ann);
    const bob = await join("bob", { priority: 0 });
    await time.advance(1000);
    assert.equal(leaderOf([ann, bob]), ann);
    ann.ring.resign();
    await time.advance(3999);
    assert.deepEqual(ann.errors, []);
    await time.advance(1);
    assert.match(String(ann.errors[0]), /term 1 was over 4000 ms ago, and its work has not stopped: until it has, /);
    await time.advance(1000);
    // It has the greater priority.
    assert.equal(leaderOf([ann, bob]), bob);
    bob.client.fallSilent();
    await time.advance(20_000);
    assert.deepEqual([ann.ring.members.length, ann.ring.isLeader, ann.ring.leader], [1, false, null]);
    end();
    await time.advance(100);
    assert.equal(ann.ring.isLeader, true);
    assert.equal(ann.elections.length, 2);
    assert.equal(ann.errors.length, 1);
  });

  it("a_page_that_stands_still_leaves_at_once_and_stands_again_when_it_goes_on_and_its_work_has_stopped", async () => {
    const page = new EventTarget();
    const pages = globalThis as { document?: unknown; window?: unknown };
    Object.assign(pages, { document: page, window: page });
    const ann = await join("ann");
    delete pages.document;
    delete pages.window;
    const end = await workOf(ann);
    const bob = await join("bob", { priority: 0 });
    await time.advance(1000);
    page.dispatchEvent(new Event("freeze"));
    await time.advance(300);
    assert.deepEqual([ann.losses, bob.ring.members.length], [["suspended"], 1]);
    await time.advance(10_000);
    page.dispatchEvent(new Event("resume"));
    await time.advance(1000);
    assert.equal(leaderOf([ann, bob]), bob);
    bob.ring.resign();
    await time.advance(1000);
    assert.deepEqual([ann.ring.leader?.self ?? false, bob.ring.leader], [false, null]);
    end();
    await time.advance(6000);
    assert.equal(leaderOf([ann, bob]), ann);
    for (const event of ["freeze", "resume"]) {
      page.dispatchEvent(new Event(event));
      await time.advance(1000);
    }
    void bob.ring.close();
    await time.advance(1000);
    assert.equal(leaderOf([ann]), ann);
  });

  it("who_closes_waits_for_its_work_no_longer_than_it_could_have_led_and_does_not_stand_again", async () => {
    const pages = await three();
    const first = leaderOf(pages);
    const end = await workOf(first);
    let isClosed = false;
    void first.ring.close().then(() => (isClosed = true));
    await time.advance(2000);
    assert.equal(isClosed, false);
    await time.advance(2500);
    assert.equal(isClosed, true);
    end();
    await time.advance(1000);
    leaderOf(pages.filter((page) => page !== first));
    assert.deepEqual(first.errors, []);
  });

  it("three_with_peterson_elect_one_and_another_when_it_closes", async () => {
    const behaviour: RingBehaviour = { algorithm: "peterson" };
    const pages = [await join("ann", behaviour), await join("bob", behaviour), await join("cyd", behaviour)];
    await time.advance(1000);
    const first = leaderOf(pages);
    const term = first.ring.term ?? 0;
    void first.ring.close();
    await time.advance(1000);
    const second = leaderOf(pages.filter((page) => page !== first));
    assert.ok((second.ring.term ?? 0) > term);
    assert.ok(hub.history.some(({ data }) => kindOf(data) === 2));
    assert.ok(hub.history.every(({ data }) => kindOf(data) !== 1));
  });

  it("members_with_two_algorithms_elect_nobody_and_each_is_told_once_who_has_another", async () => {
    const pages = [await join("ann"), await join("bob", { algorithm: "peterson" })];
    await time.advance(20_000);
    assert.deepEqual(leaders(pages), []);
    const told = (other: string) => [`Error: "${other}" uses another algorithm than this member; set the same for all`];
    assert.deepEqual(
      pages.map(({ errors }) => errors.map(String)),
      [told("bob"), told("ann")],
    );
  });

  it("an_observer_is_on_the_ring_and_never_leads", async () => {
    const ann = await join("ann", { candidate: false });
    const bob = await join("bob", { priority: 0 });
    await time.advance(1000);
    assert.equal(leaderOf([ann, bob]), bob);
  });

  it("two_members_of_one_id_are_two", async () => {
    const pages = [await join("ann"), await join("ann")];
    await time.advance(1000);
    assert.equal(pages.filter(({ ring }) => ring.isLeader).length, 1);
    assert.deepEqual(
      pages.map(({ ring }) => ring.members.length),
      [2, 2],
    );
  });

  it("members_of_other_elections_and_strangers_on_the_channel_do_no_harm", async () => {
    const stranger = hub.client("stranger");
    stranger.connect();
    const channel = stranger.channels.get("room");
    void channel.attach();
    await time.advance(40);
    void channel.presence.enter({ name: "nobody" });
    for (const data of [null, 7, { v: 1 }, { v: 1, from: "", to: "x" }, { v: 1, from: "x", view: [1, 2] }, "x"]) {
      void channel.publish({ name: "doyen.member", data });
    }
    const pages = await three();
    leaderOf(pages);
    assert.deepEqual(
      pages.flatMap(({ errors }) => errors),
      [],
    );
  });

  it("bytes_that_are_no_message_are_told_to_onError", async () => {
    const ann = await join("ann");
    await time.advance(200);
    const to = ann.ring.members[0]?.incarnation;
    const stranger = hub.client("stranger");
    stranger.connect();
    void stranger.channels.get("room").attach();
    await time.advance(40);
    const data = { v: 1, from: "x", to, topic: "ring/room", m: "AAAA" };
    void stranger.channels.get("room").publish({ name: "doyen.member", data });
    await time.advance(40);
    // Neither of these is for it.
    void stranger.channels.get("room").publish({ name: "doyen.member", data: { ...data, to: "another" } });
    void stranger.channels.get("room").publish({ name: "doyen.member", data: { ...data, topic: "ring/other" } });
    await time.advance(40);
    assert.equal(ann.errors.length, 1);
    assert.match(String(ann.errors[0]), /from stranger came what is no message of the ring: it is of version 0/);
  });

  it("a_listener_that_comes_late_is_told", async () => {
    const ann = await join("ann");
    await time.advance(200);
    const late: number[] = [];
    ann.ring.onElection(({ term }) => late.push(term));
    await time.advance(1);
    assert.deepEqual(late, [1]);
  });

  it("refuses_settings_that_cannot_be", () => {
    const client = hub.client("ann");
    for (const wrong of [{ priority: 101 }, { followMillis: 999 }, { cooldownMillis: -1 }]) {
      assert.throws(() => new RingSwarm("room", { client, ...wrong }), RangeError);
    }
    assert.throws(
      () => new RingSwarm("room", { client, algorithm: "petersen" as never }),
      /^RangeError: algorithm is "petersen", but must be "chang-roberts" or "peterson", the same for all members$/,
    );
    assert.throws(() => new RingSwarm("room", { client: hub.client("*") }), /needs one of its own/);
  });
});
