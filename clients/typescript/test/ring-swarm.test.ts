import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RingSwarm, type RingBehaviour } from "../src/ring-swarm.js";
import { hub, join, kindOf, leaderOf, leaders, three, time, type Page } from "./ring-page.js";

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
    // The others leave it out after four times a second. Its own time ends later, after 0.8 of follow.
    await time.advance(6400);
    assert.equal(first.ring.isLeader, false);
    const others = pages.filter((page) => page !== first);
    const second = leaderOf(others);
    first.client.comeBack(true);
    await time.advance(3000);
    assert.equal(leaderOf(pages), second);
  });

  it("a_silent_follower_does_not_cost_the_leader_its_term", async () => {
    const pages = await three();
    const leader = leaderOf(pages);
    const follower = pages.find((page) => page !== leader) as Page;
    for (let wait = 0; wait < 1600; wait += 400) {
      // At different moments between two heartbeats.
      await time.advance(3000 + wait);
      follower.client.fallSilent();
      await time.advance(7000);
      assert.equal(leader.ring.members.length, 2);
      follower.client.comeBack(true);
      await time.advance(3000);
      assert.equal(leader.ring.members.length, 3);
    }
    assert.deepEqual(
      leader.elections.map(({ term }) => term),
      [1],
    );
    assert.equal(leaderOf(pages), leader);
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

  it("a_leader_goes_on_if_the_view_has_no_other_member_of_that_id_and_onError_receives_that", async () => {
    const pages = await three();
    const leader = leaderOf(pages);
    leader.ring.transferTo("nobody");
    await time.advance(500);
    assert.equal(leaderOf(pages), leader);
    assert.deepEqual(leader.losses, []);
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
    await time.advance(1000);
    leaderOf(pages);
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

  it("bytes_that_are_no_message_are_told_to_onError_once", async () => {
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
    void stranger.channels.get("room").publish({ name: "doyen.member", data });
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
    for (const wrong of [{ priority: 101 }, { followMillis: 7999 }, { cooldownMillis: -1 }]) {
      assert.throws(() => new RingSwarm("room", { client, ...wrong }), RangeError);
    }
    assert.throws(
      () => new RingSwarm("room", { client, algorithm: "petersen" as never }),
      /^RangeError: algorithm is "petersen", but must be "chang-roberts" or "peterson", the same for all members$/,
    );
    assert.throws(() => new RingSwarm("room", { client: hub.client("*") }), /needs one of its own/);
  });
});
