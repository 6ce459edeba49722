import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { InboundMessage } from "ably";
import { NotLeadingError, Swarm, type Clock } from "../src/index.js";
import { scopeOf } from "../src/tab-options.js";
import { readWord } from "../src/tab-words.js";
import { TabSwarm, UnansweredError, type TabOptions } from "../src/tab-swarm.js";
import { FakeBrowser, FakeTab } from "./fake/browser.js";
import type { FakeClient } from "./fake/client.js";
import { FakeError, FakeHub } from "./fake/hub.js";
import { ManualTime } from "./fake/time.js";

interface Page {
  readonly tab: FakeTab;
  readonly swarm: TabSwarm;
  /** The clients that the page has opened, one socket each. */
  readonly clients: FakeClient[];
  readonly log: string[];
  readonly errors: unknown[];
}

let time: ManualTime;
let hub: FakeHub;
let browser: FakeBrowser;

beforeEach(() => {
  time = new ManualTime();
  hub = new FakeHub(time);
  browser = new FakeBrowser(time);
});

/** The clock of a tab. While the tab hangs, its timers wait until it wakes. */
function clockOf(tab: FakeTab): Clock {
  return {
    monotonicMillis: () => time.monotonicMillis(),
    wallMillis: () => time.wallMillis(),
    after: (millis, run) => time.after(millis, () => tab.whenAwake(run)),
  };
}

function hang(page: Page): void {
  page.tab.hang();
  page.clients.at(-1)?.fallSilent();
}

async function join(options: Partial<TabOptions> = {}): Promise<Page> {
  const tab = new FakeTab(browser);
  const clock = clockOf(tab);
  const clients: FakeClient[] = [];
  const log: string[] = [];
  const errors: unknown[] = [];
  const onError = (error: unknown): unknown => errors.push(error);
  const open = (id: string): Swarm => {
    const client = hub.client(id);
    clients.push(client);
    return new Swarm("room", { client, clock, onError, settleMillis: 50 });
  };
  const swarm = new TabSwarm("room", { platform: tab, clock, swarm: open, onError, ...options } as TabOptions);
  swarm.onElection(({ term }) => log.push(`elected ${term}`));
  swarm.onDemotion((reason) => log.push(`lost ${reason}`));
  swarm.subscribe((message) => log.push(`heard ${message.name} ${JSON.stringify(message.data)}`));
  void swarm.connect().catch(() => {});
  await time.advance(500);
  return { tab, swarm, clients, log, errors };
}

describe("a swarm of tabs", () => {
  it("T1_T2_opens_one_socket_and_leads_in_the_tab_that_has_it", async () => {
    const [ann, ben] = [await join(), await join()];
    assert.deepEqual([ann.clients.length, ben.clients.length], [1, 0]);
    assert.deepEqual([ann.swarm.isLeader, ben.swarm.isLeader], [true, false]);
    assert.deepEqual(ben.swarm.leader, { id: ann.swarm.id, term: 1, self: true });
    assert.equal(ben.swarm.id, ann.swarm.id);
    assert.equal(ben.swarm.status, "connected");
    assert.equal(ben.swarm.members.length, 1);
    assert.deepEqual(ann.log, ["elected 1"]);
    await assert.rejects(ben.swarm.publish("tick", 1), NotLeadingError);
    await assert.rejects(ben.swarm.checkpoint(1), NotLeadingError);
    await ben.swarm.connect();
  });

  it("T13_relays_messages_both_ways_and_tells_a_late_tab_what_was_said", async () => {
    const [ann, ben] = [await join(), await join()];
    void ann.swarm.publish("tick", 1);
    void ben.swarm.send("hi", "from ben");
    await time.advance(100);
    const cem = await join();
    for (const page of [ann, ben, cem]) {
      const heard = page.log.filter((line) => line.startsWith("heard"));
      assert.deepEqual(heard, ["heard tick 1", 'heard hi "from ben"']);
    }
  });

  it("T13_tells_a_message_once_although_the_next_connection_repeats_it", async () => {
    const [ann, ben] = [await join(), await join()];
    hub.identify = true;
    void ann.swarm.publish("tick", 1);
    await time.advance(100);
    void ann.swarm.close();
    await time.advance(500);
    assert.ok(ben.swarm.isLeader);
    assert.equal(ben.clients[0]?.channelParams["rewind"], "50");
    assert.deepEqual(ben.log, ["heard tick 1", "elected 2"]);
  });

  it("T2_hands_over_when_it_is_closed_in_a_term_of_its_own_and_under_the_same_name", async () => {
    const [ann, ben, cem] = [await join(), await join(), await join()];
    const { id } = ann.swarm;
    void ann.swarm.close();
    await time.advance(300);
    assert.equal(ann.swarm.status, "closed");
    assert.deepEqual(ann.log, ["elected 1", "lost closed"]);
    assert.deepEqual(ben.log, ["elected 2"]);
    assert.equal(ben.swarm.id, id);
    assert.deepEqual(cem.swarm.leader, { id, term: 2, self: true });
    assert.equal(hub.members().length, 1);
  });

  it("T2_lets_nobody_in_before_the_work_has_stopped", async () => {
    const [ann, ben] = [await join(), await join()];
    let stop = (): void => {};
    ann.swarm.onDemotion(() => new Promise<void>((resolve) => (stop = resolve)));
    void ann.swarm.close();
    await time.advance(300);
    assert.equal(ben.swarm.holdsSocket, false, "the lock is kept meanwhile");
    stop();
    await time.advance(300);
    assert.ok(ben.swarm.isLeader);
  });

  it("T5_T7_one_steals_from_a_tab_that_hangs_and_what_wakes_follows", async () => {
    const [ann, ben, cem] = [await join(), await join(), await join()];
    hang(ann);
    await time.advance(5000);
    assert.deepEqual([ben.swarm.holdsSocket, cem.swarm.holdsSocket], [false, false]);
    assert.equal(ann.swarm.isLeader, false, "by its own clock, long before");
    await time.advance(5000);
    assert.deepEqual([ben, cem].map((page) => page.swarm.isLeader).sort(), [false, true]);
    assert.equal(ben.clients.length + cem.clients.length, 1);
    ann.clients[0]?.comeBack(true);
    ann.tab.wake();
    await time.advance(1000);
    assert.equal(ann.swarm.isLeader, false);
    assert.equal(ann.swarm.holdsSocket, false);
    assert.equal(ann.swarm.leader?.term, 2);
    assert.deepEqual(ann.log, ["elected 1", "lost expired"]);
    assert.equal(hub.members().length, 1);
  });

  it("T12_gives_way_before_it_freezes_and_takes_part_again_when_it_thaws", async () => {
    const [ann, ben] = [await join(), await join()];
    ann.tab.leave();
    await time.advance(300);
    assert.deepEqual(ann.log, ["elected 1", "lost suspended"]);
    assert.ok(ben.swarm.isLeader);
    assert.equal([...browser.ears].filter((ear) => ear.tab === ann.tab).length, 0, "its channel is closed");
    assert.equal(ann.swarm.status, "disconnected");
    ann.tab.comeBack();
    await time.advance(300);
    assert.equal(ann.swarm.status, "connected");
    assert.equal(ann.swarm.leader?.term, 2);
    assert.equal(ann.clients.length, 1);
  });

  it("T11_a_tab_that_the_hub_refuses_makes_way_and_says_why", async () => {
    const refusal = new Error("not in here");
    let opened = 0;
    const ann = await join({
      swarm: (id) => {
        opened++;
        const client = hub.client(id);
        client.channels.get("room").attach = () => Promise.reject(refusal);
        return new Swarm("room", { client, clock: time });
      },
    });
    assert.deepEqual(ann.errors, [refusal]);
    await assert.rejects(ann.swarm.connect(), refusal);
    const ben = await join();
    assert.ok(ben.swarm.isLeader);
    await time.advance(10_000);
    assert.equal(opened, 1, "it waits its turn like the others");
    assert.equal(ann.swarm.status, "connected", "by the other's socket");
  });

  it("T14_each_for_itself_where_the_browser_refuses_locks", async (t) => {
    browser.refuses = new Error("not on this page");
    const warned = t.mock.method(console, "warn", () => {});
    const [ann, ben] = [await join(), await join()];
    assert.deepEqual([ann.clients.length, ben.clients.length], [1, 1]);
    assert.deepEqual([ann.swarm.isLeader, ben.swarm.isLeader], [true, false]);
    assert.deepEqual(
      warned.mock.calls.map((call) => call.arguments),
      [["swarm: each tab opens a connection of its own, because not on this page"]],
    );
  });

  it("T14_is_a_swarm_like_any_other_outside_a_browser", async (t) => {
    const warned = t.mock.method(console, "warn", () => {});
    const swarm = new TabSwarm("room", {
      clock: time,
      swarm: (id) => new Swarm("room", { client: hub.client(id), clock: time }),
    });
    void swarm.connect();
    await time.advance(2000);
    assert.ok(swarm.isLeader);
    assert.equal(warned.mock.callCount(), 0);
    void swarm.close();
    await time.advance(100);
    assert.equal(swarm.isLeader, false);
  });

  it("T13_passes_on_what_the_hub_said_to_a_message_it_refused", async () => {
    const [ann, ben] = [await join(), await join()];
    const channel = ann.clients[0]?.channels.get("room");
    assert.ok(channel);
    channel.publish = () => Promise.reject(new FakeError(40911, "channel is fenced"));
    const sending = assert.rejects(ben.swarm.send("hi"), { code: 40911, message: "channel is fenced" });
    await time.advance(100);
    await sending;
  });

  it("T13_says_when_nobody_knows_whether_a_message_was_sent", async () => {
    const [ann, ben] = [await join(), await join()];
    hang(ann);
    let error: unknown = null;
    ben.swarm.send("hi").catch((reason: unknown) => (error = reason));
    for (let waited = 0; error === null && waited < 7000; waited += 100) await time.advance(100);
    assert.ok(error instanceof UnansweredError);
    assert.equal(ben.swarm.holdsSocket, false, "as soon as the other is taken for silent");
    void ben.swarm.close();
    await assert.rejects(ben.swarm.send("hi"), /"hi" was not sent: this swarm is not open/);
  });

  it("T13_holds_what_is_sent_before_anybody_is_connected_and_not_more_than_100", async () => {
    const ann = await join();
    hang(ann);
    const ben = await join();
    const sending = Array.from({ length: 100 }, (_, i) => ben.swarm.send("n", i));
    await assert.rejects(ben.swarm.send("n", 100), /"n" was not sent: 100 messages wait for an answer already/);
    await time.advance(9000);
    assert.ok(ben.swarm.holdsSocket, "it stole the lock");
    await Promise.all(sending);
    assert.equal(hub.history.length, 100);
  });

  it("tells_a_listener_that_comes_late_and_takes_back_what_was_assigned", async () => {
    const ann = await join();
    const late: number[] = [];
    ann.swarm.onElection = ({ term }) => late.push(term);
    await time.advance(1);
    assert.deepEqual(late, [1]);
    const heard: InboundMessage[] = [];
    ann.swarm.subscribe((message) => heard.push(message))();
    void ann.swarm.send("hi");
    await time.advance(100);
    assert.equal(heard.length, 0);
  });

  it("resigns_and_stands_again_after_the_cooldown", async () => {
    const ann = await join();
    ann.swarm.resign();
    assert.equal(ann.swarm.isLeader, false);
    const leading = () => ann.swarm.leadership;
    assert.equal(leading(), null);
    await time.advance(6000);
    assert.equal(leading()?.term, 2);
    assert.equal(leading()?.isLeader, true);
  });
});

describe("the settings of a swarm of tabs", () => {
  const key = "app.id:very-secret";

  it("are_refused_with_what_and_which_bound", () => {
    const open = (options: object) => new TabSwarm("room", { key, ...options });
    assert.throws(() => open({ silentMillis: 10 }), /silentMillis is 10, but must be an integer from 2000 to 60000/);
    assert.throws(() => open({ ttlMillis: 1 }), /ttlMillis is 1, but/);
  });

  it("name_the_scope_without_the_secret", () => {
    const scope = scopeOf("room", { key, endpoint: "hub.example" });
    assert.ok(scope.startsWith("doyen/1/room/") && scope.includes("app.id") && !scope.includes("secret"));
    const others = [{ key: "other.id:x" }, { key, clientId: "ann" }, { key, candidate: false }, { key, port: 1 }];
    for (const other of others) assert.notEqual(scopeOf("room", { endpoint: "hub.example", ...other }), scope);
    assert.equal(scopeOf("room", { key, scope: "mine" }), scopeOf("room", { scope: "mine" }));
  });
});

describe("what tabs say to each other", () => {
  it("is_read_only_in_its_own_form", () => {
    const good = { v: 1, from: "a", kind: "heartbeat", generation: 1, device: "d", stolen: false };
    assert.deepEqual(readWord(good), good);
    const bad: unknown[] = [
      null,
      "heartbeat",
      7,
      { ...good, v: 2 },
      { ...good, generation: "1" },
      { ...good, from: 1 },
    ];
    bad.push({ ...good, kind: "toString" }, { ...good, device: null }, { v: 1, from: "a", kind: "bid" });
    for (const each of bad) assert.equal(readWord(each), null, JSON.stringify(each));
  });
});
