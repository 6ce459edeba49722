import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { HubEntry } from "../src/hub-entry.js";
import { HubSeat } from "../src/hub-seat.js";
import { writeMessage } from "../src/ring-message.js";
import { RingSwarm, type RingPeer } from "../src/ring-swarm.js";
import { letterTo } from "../src/ring-words.js";
import { FakeError } from "./fake/hub.js";
import { hub, join, leaderOf, leaders, three, time, workOf, type Page } from "./ring-page.js";

/** Work that ends when `end` is called. */
function work(): { promise: Promise<void>; end: () => void } {
  let end = (): void => {};
  const promise = new Promise<void>((resolve) => (end = resolve));
  return { promise, end };
}

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const open = {};
  return (await Promise.race([promise, Promise.resolve(open)])) !== open;
}

describe("closing a member of a ring", () => {
  it("from_within_a_listener_waits_for_the_work_that_the_listener_returns", async () => {
    const ann = await join("ann");
    const { promise, end } = work();
    ann.ring.onElection(() => {
      void ann.ring.close();
      return promise;
    });
    const bob = await join("bob");
    await time.advance(1500);
    assert.deepEqual([ann.losses, ann.ring.status, leaders([ann, bob])], [["closed"], "connected", []]);
    end();
    await time.advance(1000);
    assert.deepEqual([ann.ring.status, leaderOf([bob])], ["closed", bob]);
  });

  it("by_onDemotion_holds_nobody_up", async () => {
    const pages = await three();
    const first = leaderOf(pages);
    first.ring.onDemotion = () => first.ring.close();
    first.ring.resign();
    await time.advance(1000);
    leaderOf(pages.filter((page) => page !== first));
    assert.equal(first.ring.status, "closed");
  });

  it("settles_without_a_connection_and_twice_is_once", async () => {
    const [ann] = await three();
    ann.client.drop();
    const closed = ann.ring.close();
    assert.equal(ann.ring.close(), closed);
    await time.advance(1999);
    assert.equal(await isSettled(closed), false);
    await time.advance(1);
    assert.equal(await isSettled(closed), true);
  });

  it("before_or_while_it_connects_leaves_nobody_behind", async () => {
    const client = hub.client("ann");
    const early = new RingSwarm("room", { client, clock: time });
    await early.close();
    await assert.rejects(early.connect(), /the place on "room" was closed; make another/);
    assert.equal(client.connection.state, "initialized");

    const soon = new RingSwarm("room", { client, clock: time });
    const connected = soon.connect();
    assert.equal(soon.connect(), connected);
    await time.advance(7);
    const closed = soon.close();
    await time.advance(3000);
    await closed;
    await assert.rejects(connected, /closed before it was connected/);
    assert.deepEqual(hub.members(), []);
  });
});

describe("a member of a ring that", () => {
  it("was_refused_may_connect_again", async () => {
    const client = hub.client("ann");
    const errors: unknown[] = [];
    const ring = new RingSwarm("room", { client, clock: time, onError: (error) => errors.push(error) });
    client.refusal = new FakeError(40160, "not permitted");
    const connected = ring.connect();
    const refused = assert.rejects(connected, /not permitted/);
    await time.advance(500);
    await refused;
    assert.deepEqual([errors.length, ring.members], [1, []]);
    client.refusal = null;
    const again = ring.connect();
    await time.advance(500);
    await again;
    assert.equal(ring.isLeader, true);
  });

  it("was_refused_enters_when_the_channel_is_attached_anew", async () => {
    const pages = [await join("ann"), await join("bob")];
    const client = hub.client("cyd");
    client.refusal = new FakeError(50000, "not now");
    const ring = new RingSwarm("room", { client, clock: time, onError: () => {} });
    ring.connect().catch(() => {});
    await time.advance(500);
    client.refusal = null;
    client.comeBack(false);
    await time.advance(1000);
    assert.deepEqual([ring.members.length, pages[0]?.ring.members.length], [3, 3]);
  });

  it("lost_its_entry_enters_again", async () => {
    const pages = await three();
    const follower = pages.find(({ ring }) => !ring.isLeader) as Page;
    follower.client.loseEntry();
    await time.advance(1000);
    leaderOf(pages);
  });

  it("finds_its_client_without_a_connection_installs_nothing_before_it_has_one_P6", async () => {
    const client = hub.client("ann");
    client.connect();
    void client.channels.get("room").attach();
    await time.advance(50);
    client.drop();
    const ring = new RingSwarm("room", { client, clock: time });
    void ring.connect();
    await time.advance(500);
    assert.deepEqual([ring.status, ring.members.length], ["connecting", 0]);
    client.comeBack(false);
    await time.advance(500);
    assert.deepEqual([ring.status, ring.members.length], ["connected", 1]);
  });

  it("leads_goes_on_when_a_listener_and_onError_throw", async (test) => {
    const thrown: (() => void)[] = [];
    test.mock.method(globalThis, "queueMicrotask", (run: () => void) => thrown.push(run));
    const client = hub.client("ann");
    const onError = (error: unknown) => {
      throw error;
    };
    const ring = new RingSwarm("room", { client, clock: time, onError });
    ring.onElection = () => {
      throw new Error("elected");
    };
    void ring.connect();
    await time.advance(20_000);
    assert.deepEqual([ring.isLeader, ring.leader?.self], [true, true]);
    assert.equal(thrown.length, 1);
    assert.throws(() => thrown[0]?.(), /elected/);
  });

  it("leads_tells_no_listener_that_was_removed_again", async () => {
    const ann = await join("ann");
    await time.advance(200);
    const told: string[] = [];
    ann.ring.onElection(() => told.push("removed"))();
    ann.ring.onElection = () => told.push("replaced");
    ann.ring.onElection = () => told.push("assigned");
    await time.advance(1);
    assert.deepEqual(told, ["assigned"]);
    ann.ring.onElection = null;
    ann.ring.resign();
    await time.advance(10_000);
    assert.deepEqual([told, ann.ring.isLeader], [["assigned"], true]);
  });

  it("leads_waits_for_work_that_is_another_realms_promise", async () => {
    const pages = await three();
    const first = leaderOf(pages);
    const { promise, end } = work();
    const foreign = { then: promise.then.bind(promise) };
    first.ring.onDemotion(() => foreign);
    first.ring.resign();
    await time.advance(1500);
    assert.deepEqual(leaders(pages), []);
    end();
    await time.advance(1000);
    assert.notEqual(leaderOf(pages), first);
  });

  it("leads_and_is_hidden_so_that_its_timers_come_once_a_minute_leads_on_by_what_it_hears", async () => {
    let least = 0;
    const clock = {
      monotonicMillis: () => time.monotonicMillis(),
      wallMillis: () => time.wallMillis(),
      after: (millis: number, run: () => void) => time.after(Math.max(millis, least), run),
    };
    const ann = await join("ann", { clock });
    const pages = [ann, await join("bob"), await join("cyd")];
    await time.advance(1000);
    least = 60_000;
    await time.advance(50_000);
    assert.deepEqual([leaderOf(pages), ann.losses], [ann, []]);
  });

  it("has_left_for_good_enters_no_more", async () => {
    const client = hub.client("ann");
    const seat = new HubSeat("room", client, false, "a member");
    client.connect();
    void seat.channel.attach();
    await time.advance(50);
    const entry = new HubEntry(seat, { here: true }, (error) => assert.fail(String(error)));
    entry.enter();
    await time.advance(50);
    assert.equal(hub.members().length, 1);
    void entry.end();
    await time.advance(50);
    entry.enter();
    entry.again();
    await time.advance(50);
    assert.deepEqual(hub.members(), []);
  });

  it("stood_still_does_not_lead_when_it_goes_on", async () => {
    const pages = await three();
    const first = leaderOf(pages);
    const end = await workOf(first);
    time.suspend(10_000);
    assert.deepEqual([first.ring.isLeader, first.ring.leadership], [false, null]);
    end();
  });
});

describe("on a channel of a ring", () => {
  it("nobody_is_made_the_heir_by_who_is_not_in_the_view_nor_his_term_known", async () => {
    const pages = await three();
    const leader = leaderOf(pages);
    const heir = pages.find((page) => page !== leader) as Page;
    const creator = { id: "stranger", incarnation: "x" };
    const term = { counter: Number.MAX_SAFE_INTEGER, creator };
    const [number, name] = (hub.history.at(-1)?.data as { view: [number, string] }).view;
    const view = { number, creator: name };
    const to = heir.ring.members.find(({ self }) => self) as RingPeer;
    const word = writeMessage({ kind: "yield", view, round: 0, term, heir: true });
    const stranger = hub.client(creator.id);
    stranger.connect();
    void stranger.channels.get("room").attach();
    await time.advance(40);
    const data = letterTo(to, creator, null, "ring/room", word);
    void stranger.channels.get("room").publish({ name: "doyen.member", data });
    await time.advance(1000);
    assert.equal(leaderOf(pages), leader);
    leader.ring.transferTo(heir.ring.id);
    await time.advance(1000);
    assert.deepEqual([leaderOf(pages), heir.ring.term], [heir, 2]);
  });

  it("many_who_take_no_part_slow_nobody_down_P4", async () => {
    for (let i = 0; i < 100; i++) {
      const client = hub.client(`viewer${i}`);
      client.connect();
      void client.channels.get("room").attach();
      await time.advance(20);
      void client.channels.get("room").presence.enter({ looks: "on" });
    }
    const pages = await three();
    const first = leaderOf(pages);
    first.client.fallSilent();
    await time.advance(7000);
    leaderOf(pages.filter((page) => page !== first));
  });
});

describe("a member of a ring cannot be", () => {
  it("one_whose_messages_nobody_would_read", () => {
    const client = hub.client("ann");
    for (const election of ["", "~own", "a\nb", "x".repeat(251)]) {
      assert.throws(
        () => new RingSwarm("room", { client, election }),
        /^RangeError: election is ".*", but must have 1 to 250/s,
      );
    }
    assert.throws(() => new RingSwarm("x".repeat(251), { client }), /it is the channel's name unless set$/);
    assert.throws(() => new RingSwarm("room", { client: hub.client("a\u0007") }), /no control character/);
    assert.throws(() => new RingSwarm("room", { client: hub.client("a".repeat(256)) }), /at most 255 characters/);
  });

  it("one_that_does_not_hear_itself", async () => {
    const ring = new RingSwarm("room", { key: "a.b:c", echoMessages: false });
    const { client } = ring["seat"] as unknown as { client: { options: { echoMessages: boolean } } };
    assert.equal(client.options.echoMessages, true);
    await ring.close();
  });
});
