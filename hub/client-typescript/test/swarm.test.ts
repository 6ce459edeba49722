import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { ErrorInfo } from "ably";
import { NotLeadingError, Swarm, type Behaviour, type Leadership, type LossReason } from "../src/index.js";
import type { FakeClient } from "./fake/client.js";
import { FakeHub } from "./fake/hub.js";
import { ManualTime } from "./fake/time.js";

interface Page {
  readonly swarm: Swarm;
  readonly client: FakeClient;
  readonly elections: Leadership[];
  readonly losses: LossReason[];
  readonly errors: unknown[];
}

let time: ManualTime;
let hub: FakeHub;

beforeEach(() => {
  time = new ManualTime();
  hub = new FakeHub(time);
});

async function join(id: string, behaviour: Behaviour = {}): Promise<Page> {
  const client = hub.client(id);
  const errors: unknown[] = [];
  const swarm = new Swarm("room", { client, clock: time, onError: (error) => errors.push(error), ...behaviour });
  const page: Page = { swarm, client, elections: [], losses: [], errors };
  swarm.onElection((leadership) => page.elections.push(leadership));
  swarm.onDemotion((reason) => page.losses.push(reason));
  void swarm.connect();
  await time.advance(100);
  return page;
}

async function elected(id: string): Promise<Page> {
  const page = await join(id);
  await time.advance(1000);
  assert.ok(page.swarm.isLeader);
  return page;
}

describe("a swarm", () => {
  it("elects_the_only_member_and_reports_its_term", async () => {
    const ann = await elected("ann");
    assert.equal(ann.elections.length, 1);
    assert.equal(ann.elections[0]?.term, 1);
    assert.deepEqual(ann.swarm.leader, { id: "ann", term: 1, self: true });
    assert.equal(ann.swarm.term, 1);
    assert.equal(ann.errors.length, 0);
  });

  it("continues_when_an_effect_or_the_machine_throws", async () => {
    const ann = await elected("ann");
    const { connection } = ann.client;
    const ping = connection.ping.bind(connection);
    connection.ping = () => {
      connection.ping = ping;
      throw new Error("on purpose");
    };
    await time.advance(20_000);
    assert.equal(ann.errors.length, 1);
    assert.ok(ann.swarm.isLeader);
    assert.equal(ann.elections.length, 1);
    const now = time.wallMillis.bind(time);
    let failing = true;
    time.wallMillis = () => {
      if (!failing) return now();
      failing = false;
      throw new Error("on purpose");
    };
    await time.advance(20_000);
    assert.equal(failing, false);
    assert.equal(ann.errors.length, 2);
    assert.ok(ann.swarm.isLeader);
  });

  it("runs_the_code_of_the_published_guide_unchanged", async () => {
    const seen: unknown[] = [];
    const ticks: unknown[] = [];
    const swarm = new Swarm("room", { client: hub.client("ann"), clock: time });
    swarm.onSwarmPresenceChanged = (members) => seen.push(members.length);
    swarm.onElection = (channel) => void channel.publish("message", { counter: 1 });
    swarm.onConnection = (channel) => {
      void channel.subscribe((message) => ticks.push(message.data));
    };
    void swarm.connect();
    await time.advance(1000);
    assert.deepEqual(ticks, [{ counter: 1 }]);
    assert.equal(seen.at(-1), 1);
  });

  it("takes_over_within_a_tenth_of_a_second_after_a_leave_on_a_hub_with_claims", async () => {
    const ann = await elected("ann");
    const ben = await join("ben");
    const closing = ann.swarm.close();
    await time.advance(100);
    await closing;
    assert.ok(ben.swarm.isLeader);
    assert.equal(ben.elections[0]?.term, 2);
    assert.deepEqual(ann.losses, ["closed"]);
  });

  it("stops_by_its_own_clock_before_the_hub_elects_another_member", async () => {
    const ann = await elected("ann");
    const ben = await join("ben");
    ann.client.fallSilent();
    let stoppedAt = 0;
    let takenAt = 0;
    ann.elections[0]?.signal.addEventListener("abort", () => (stoppedAt = time.monotonicMillis()));
    ben.swarm.onElection(() => (takenAt = time.monotonicMillis()));
    await time.advance(6000);
    assert.ok(stoppedAt > 0 && takenAt > stoppedAt, `stopped at ${stoppedAt}, taken at ${takenAt}`);
    assert.deepEqual(ann.losses, ["expired"]);
    assert.equal(ann.swarm.isLeader, false);
  });

  it("does_not_lead_after_a_suspension_even_before_a_timer_runs", async () => {
    const ann = await elected("ann");
    time.suspend(3_600_000);
    assert.equal(ann.swarm.isLeader, false);
    await assert.rejects(ann.swarm.publish("tick", 1), NotLeadingError);
    assert.equal(ann.client.published, 0);
  });

  it("enters_as_a_follower_on_a_new_connection_and_claims_a_greater_term", async () => {
    const ann = await elected("ann");
    ann.client.fallSilent();
    await time.advance(500);
    ann.client.comeBack(false);
    assert.deepEqual(ann.losses, ["superseded"]);
    await time.advance(2000);
    assert.ok(ann.swarm.isLeader);
    assert.equal(ann.elections.length, 2);
    assert.ok(ann.elections[1]!.term > ann.elections[0]!.term);
  });

  it("keeps_its_term_on_a_resumed_connection", async () => {
    const ann = await elected("ann");
    ann.client.fallSilent();
    await time.advance(500);
    ann.client.comeBack(true);
    await time.advance(10_000);
    assert.ok(ann.swarm.isLeader);
    assert.equal(ann.elections.length, 1);
  });

  it("passes_the_checkpoint_to_the_next_leader_even_if_that_leader_joined_late", async () => {
    const ann = await elected("ann");
    void ann.swarm.checkpoint({ count: 1 });
    void ann.swarm.checkpoint({ count: 41 });
    await time.advance(20);
    for (let i = 0; i < 100; i++) void ann.swarm.publish("tick", i);
    await time.advance(100);
    const ben = await join("ben");
    ann.swarm.resign();
    await time.advance(500);
    assert.deepEqual(ben.elections[0]?.checkpoint?.state, { count: 41 });
    assert.deepEqual(ann.losses, ["resigned"]);
  });

  it("lets_no_other_member_lead_before_the_work_has_stopped", async () => {
    const ann = await elected("ann");
    const ben = await join("ben");
    let stop = (): void => {};
    ann.swarm.onDemotion = () => new Promise<void>((resolve) => (stop = resolve));
    ann.swarm.resign();
    await time.advance(1000);
    assert.equal(ben.swarm.isLeader, false);
    stop();
    await time.advance(200);
    assert.ok(ben.swarm.isLeader);
  });

  it("waits_for_the_work_of_whileLeading_before_another_member_leads", async () => {
    const ann = await elected("ann");
    const ben = await join("ben");
    let stop = (): void => {};
    const terms: number[] = [];
    const remove = ann.swarm.whileLeading(({ term }) => {
      terms.push(term);
      return new Promise<void>((resolve) => (stop = resolve));
    });
    await time.advance(20);
    remove();
    ann.swarm.resign();
    await time.advance(1000);
    assert.equal(ben.swarm.isLeader, false);
    stop();
    await time.advance(200);
    assert.ok(ben.swarm.isLeader);

    const removed = ben.swarm.whileLeading(({ term }) => terms.push(term));
    removed();
    ben.swarm.resign();
    await time.advance(6000);
    assert.ok(ann.swarm.isLeader);
    assert.deepEqual(terms, [1], "a removed work runs in no later leadership");
  });

  it("reports_an_error_of_the_work_of_whileLeading_and_lets_the_next_member_lead", async () => {
    const ann = await elected("ann");
    const ben = await join("ben");
    ann.swarm.whileLeading(() => {
      throw new Error("broken");
    });
    await time.advance(20);
    ann.swarm.resign();
    await time.advance(500);
    assert.ok(ben.swarm.isLeader);
    assert.deepEqual(ann.errors.map(String), ["Error: broken"]);
  });

  it("waits_after_resigning_and_then_campaigns_again", async () => {
    const ann = await elected("ann");
    ann.swarm.resign();
    await time.advance(4900);
    assert.equal(ann.swarm.isLeader, false);
    await time.advance(400);
    assert.ok(ann.swarm.isLeader);
  });

  it("ends_its_term_after_a_rejected_fence", async () => {
    const ann = await elected("ann");
    hub.endClaim();
    const publishing = assert.rejects(ann.swarm.publish("tick", 1), /fence 1/);
    await time.advance(20);
    await publishing;
    assert.equal(ann.swarm.isLeader, false);
    assert.deepEqual(ann.losses, ["superseded"]);
  });

  it("rejects_a_publish_in_an_ended_term_even_if_it_leads_again", async () => {
    const ann = await elected("ann");
    const first = ann.elections[0]!;
    ann.swarm.resign();
    await time.advance(6000);
    assert.ok(ann.swarm.isLeader);
    assert.ok(first.signal.aborted);
    assert.equal(first.remainingMillis, 0);
    await assert.rejects(first.publish("tick", 1), /term 1 has ended/);
  });

  it("drops_messages_of_a_replaced_leader", async () => {
    hub.grantsClaims = false;
    const ann = await join("ann");
    const got: unknown[] = [];
    ann.swarm.subscribe((message) => got.push(message.data));
    const old = hub.client("old");
    const send = (term: number, data: string) =>
      old.channels.get("room").publish({ name: "tick", data, extras: { headers: { "doyen-term": term } } });
    old.connect();
    await time.advance(20);
    void send(2, "new leader");
    void send(1, "old leader");
    await time.advance(20);
    assert.deepEqual(got, ["new leader"]);
  });

  it("lets_no_other_member_lead_before_the_work_has_stopped_even_if_a_listener_closes_the_swarm", async () => {
    const ann = await elected("ann");
    const bob = await join("bob");
    let stop = (): void => {};
    ann.swarm.onDemotion(() => new Promise<void>((resolve) => (stop = resolve)));
    let ended = false;
    ann.swarm.onLeaderChanged(() => void ann.swarm.close().then(() => (ended = true)));
    ann.swarm.resign();
    await time.advance(500);
    // The swarm of ann does not own its client. If it did, `close` would end the connection, and thus also the claim.
    assert.deepEqual([bob.swarm.isLeader, ended], [false, false]);
    stop();
    await time.advance(500);
    assert.deepEqual([bob.swarm.isLeader, ended], [true, true]);
  });

  it("delays_no_other_member_if_it_closes_in_onDemotion", async () => {
    const ann = await elected("ann");
    const bob = await join("bob");
    ann.swarm.onDemotion = () => ann.swarm.close();
    ann.swarm.resign();
    await time.advance(500);
    assert.equal(bob.swarm.isLeader, true);
  });

  it("closes_in_time_if_the_hub_is_silent_and_does_not_connect_again", async () => {
    const ann = await elected("ann");
    ann.client.fallSilent();
    const closed = ann.swarm.close().then(() => "closed");
    await time.advance(2000);
    assert.equal(await Promise.race([closed, Promise.resolve("open")]), "closed");
    const client = hub.client("bob");
    const never = new Swarm("room", { client, clock: time });
    await never.close();
    await assert.rejects(never.connect(), /was closed; create another/);
    assert.equal(client.connection.state, "initialized");
  });

  it("reports_no_outage_while_the_SDK_renews_a_token", async () => {
    const ann = await join("ann");
    const reason = { code: 40142, statusCode: 401, message: "expired" } as ErrorInfo;
    const change = { previous: "connecting", current: "disconnected", reason } as const;
    ann.client.changeConnection(change);
    assert.deepEqual(ann.errors, []);
    ann.client.changeConnection(change);
    assert.match(String(ann.errors[0]), /expired/);
    assert.equal(ann.errors.length, 1);
  });

  it("delivers_each_message_once_after_two_calls_of_connect_and_none_after_a_close", async () => {
    const ann = await join("ann");
    void ann.swarm.connect();
    const [got, statuses]: unknown[][] = [[], []];
    ann.swarm.subscribe((message) => got?.push(message.data));
    ann.swarm.onStatusChanged((status) => statuses?.push(status));
    const ben = await join("ben");
    void ben.swarm.send("tick", 1);
    await time.advance(100);
    void ann.swarm.close();
    await time.advance(100);
    void ben.swarm.send("tick", 2);
    await time.advance(100);
    assert.deepEqual([got, statuses], [[1], ["closed"]]);
  });

  it("elects_one_leader_on_a_hub_without_claims", async () => {
    hub.grantsClaims = false;
    const [ann, ben] = [await join("ann"), await join("ben")];
    await time.advance(3000);
    assert.deepEqual([ann.swarm.isLeader, ben.swarm.isLeader], [true, false]);
    const closing = ann.swarm.close();
    await time.advance(3000);
    await closing;
    assert.ok(ben.swarm.isLeader);
    assert.equal(ben.elections[0]?.term, 2);
  });

  it("calls_a_listener_that_is_added_after_the_election", async () => {
    const ann = await elected("ann");
    const late: number[] = [];
    ann.swarm.onElection((leadership) => late.push(leadership.term));
    await time.advance(1);
    assert.deepEqual(late, [1]);
  });

  it("survives_a_listener_that_throws", async () => {
    const page = await join("ann");
    page.swarm.onElection = () => {
      throw new Error("listener");
    };
    await time.advance(5000);
    assert.ok(page.swarm.isLeader);
    assert.equal(page.errors.length, 1);
  });

  it("marks_the_leader_among_the_members_and_puts_it_first", async () => {
    await elected("ann");
    const ben = await join("ben", { priority: 9 });
    const members = ben.swarm.members.map(({ id, leader, self }) => ({ id, leader, self }));
    assert.deepEqual(members, [
      { id: "ann", leader: true, self: false },
      { id: "ben", leader: false, self: true },
    ]);
  });

  it("rejects_invalid_settings_and_clients_with_a_message", () => {
    const client = hub.client("ann");
    assert.throws(
      () => new Swarm("room", { client, ttlMillis: 999 }),
      /ttlMillis is 999, but must be .* 1000 to 15000/,
    );
    assert.throws(() => new Swarm("room", { client, priority: 0.5 }), /priority is 0.5/);
    assert.throws(() => new Swarm("room", { client: hub.client("*") }), /clientId is "\*"/);
    assert.throws(
      () => new Swarm("room", { key: "a.b:c", transportParams: { remainPresentFor: 1000 } }),
      /remainPresentFor is 1000, below ttlMillis \(5000\)/,
    );
  });

  it("rejects_a_checkpoint_that_is_too_large_with_both_sizes", async () => {
    const ann = await elected("ann");
    await assert.rejects(ann.swarm.checkpoint("x".repeat(50_000)), /has 50002 bytes, but the limit is 49152/);
  });

  it("creates_a_client_id_of_128_random_bits_if_none_is_given", () => {
    const ids = [0, 1].map(() => new Swarm("room", { key: "a.b:c", endpoint: "localhost", autoConnect: false }).id);
    assert.match(ids[0]!, /^[0-9a-z]{32}$/);
    assert.notEqual(ids[0], ids[1]);
  });
});
