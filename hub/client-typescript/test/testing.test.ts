import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NotLeadingError, Swarm, type LossReason } from "../src/index.js";
import { FakeSwarm } from "../src/testing.js";
import { FakeHub } from "./fake/hub.js";
import { ManualTime } from "./fake/time.js";

const REASONS: readonly LossReason[] = ["resigned", "closed", "expired", "suspended", "superseded"];

/** Records all events of the swarm, without terms and ids. */
function record(swarm: Swarm): string[] {
  const events: string[] = [];
  swarm.onConnection = (channel) => events.push(`connection ${channel.name}`);
  swarm.onElection = (leadership) => {
    events.push(`election, checkpoint ${JSON.stringify(leadership.checkpoint?.state ?? null)}`);
    leadership.signal.addEventListener("abort", () => events.push(`signal ${leadership.signal.reason}`));
  };
  swarm.onDemotion = (reason) => events.push(`demotion ${reason}, leads ${swarm.isLeader}`);
  swarm.onLeaderChanged = (leader) =>
    events.push(`leader ${leader === null ? "nobody" : leader.self ? "self" : "other"}`);
  swarm.onStatusChanged = (status) => events.push(`status ${status}`);
  swarm.subscribe(({ name, data }) => events.push(`message ${name} ${JSON.stringify(data)}`));
  return events;
}

async function connected(options = {}): Promise<FakeSwarm> {
  const swarm = new FakeSwarm("room", { onError: (error) => assert.fail(error as Error), ...options });
  await swarm.connect();
  return swarm;
}

/** Lets a real swarm on a hub lead and lose its leadership for this reason, and returns its events. */
async function eventsOfRealSwarm(reason: LossReason): Promise<string[]> {
  const time = new ManualTime();
  const hub = new FakeHub(time);
  const client = hub.client("ann");
  const swarm = new Swarm("room", { client, clock: time });
  const events = record(swarm);
  void swarm.connect();
  await time.advance(1000);
  await Promise.all([swarm.publish("tick", { n: 1 }), time.advance(100)]);
  if (reason === "resigned") swarm.resign();
  else if (reason === "closed") void swarm.close();
  else if (reason === "expired") client.fallSilent();
  else if (reason === "suspended") time.suspend(60_000);
  else {
    hub.endClaim();
    void new Swarm("room", { client: hub.client("ben"), clock: time, priority: 1, settleMillis: 0 }).connect();
  }
  await time.advance(4500);
  return events;
}

describe("a FakeSwarm", () => {
  for (const reason of REASONS) {
    it(`reports_the_events_of_a_real_swarm_if_its_leadership_ends_with_${reason}`, async () => {
      const swarm = new FakeSwarm("room");
      const events = record(swarm);
      await swarm.connect();
      await swarm.elect();
      await swarm.publish("tick", { n: 1 });
      swarm.demote(reason);
      const expected = await eventsOfRealSwarm(reason);
      assert.deepEqual(events, expected.slice(0, events.length));
      const signal = events.indexOf(`signal ${reason}`);
      assert.equal(events[signal + 1], `demotion ${reason}, leads false`);
    });
  }

  it("is_a_swarm_and_is_elected_only_by_elect", async () => {
    const swarm: Swarm = await connected({ key: "my.key:secret", endpoint: "localhost", settleMillis: 0 });
    assert.equal(swarm.isLeader, false);
    assert.equal(swarm.leader, null);
    assert.equal(swarm.status, "connected");
    assert.equal(swarm.members.length, 1);
  });

  it("is_elected_in_a_higher_term_after_each_end", async () => {
    const swarm = await connected();
    let last = 0;
    for (const reason of REASONS.filter((each) => each !== "closed")) {
      const { term } = await swarm.elect();
      assert.ok(term > last && swarm.isLeader && swarm.leader?.self === true, `${reason}: ${term} after ${last}`);
      last = term;
      swarm.demote(reason);
      assert.equal(swarm.leader?.id ?? null, reason === "superseded" ? "another member" : null);
    }
  });

  it("elects_nobody_new_while_it_leads", async () => {
    const swarm = await connected();
    assert.equal(await swarm.elect(), await swarm.elect());
  });

  it("gives_the_next_leadership_the_checkpoint", async () => {
    const swarm = await connected();
    const first = await swarm.elect();
    await first.save({ n: 7 });
    swarm.demote();
    await assert.rejects(first.save({ n: 8 }), NotLeadingError);
    await assert.rejects(first.publish("tick"), NotLeadingError);
    const next = await swarm.elect();
    assert.deepEqual(next.checkpoint?.state, { n: 7 });
  });

  it("leaves_the_channel_while_the_page_is_frozen", async () => {
    const swarm = await connected();
    const losses: string[] = [];
    swarm.onDemotion = (reason) => losses.push(reason);
    await swarm.elect();
    swarm.freeze();
    assert.deepEqual([swarm.isLeader, swarm.members.length, losses], [false, 0, ["suspended"]]);
    await swarm.elect();
    assert.deepEqual([swarm.isLeader, swarm.members.length], [true, 1]);
  });

  it("elects_after_the_deadline_if_a_listener_has_not_finished", async () => {
    const swarm = await connected();
    await swarm.elect();
    swarm.onDemotion = () => new Promise(() => {});
    swarm.demote("resigned");
    await swarm.elect();
    assert.ok(swarm.isLeader);
  });

  it("rejects_calls_that_a_real_swarm_cannot_follow", async () => {
    const swarm = new FakeSwarm("room");
    await assert.rejects(swarm.elect(), /this swarm is connecting, so it cannot be elected: await connect\(\)/);
    await swarm.connect();
    assert.throws(() => swarm.demote(), /this member does not lead, so it cannot be demoted/);
    const observer = await connected({ candidate: false });
    await assert.rejects(observer.elect(), /this swarm is an observer/);
    assert.throws(() => new FakeSwarm("room", { ttlMillis: 1 }), /ttlMillis is 1, but must be an integer from 1000/);
  });

  it("has_no_timer_and_no_socket", async () => {
    const swarm = await connected();
    await swarm.elect();
    assert.deepEqual(
      process.getActiveResourcesInfo().filter((each) => each !== "PipeWrap" && each !== "TTYWrap"),
      [],
    );
    await swarm.close();
    assert.equal(swarm.status, "closed");
  });
});
