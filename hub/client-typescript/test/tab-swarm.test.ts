import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { InboundMessage } from "ably";
import { NotLeadingError, Swarm, type Clock } from "../src/index.js";
import { scopeOf } from "../src/tab-options.js";
import { readMessage } from "../src/tab-messages.js";
import { TabSwarm, UnansweredError, type TabOptions } from "../src/tab-swarm.js";
import { FakeBrowser, FakeTab } from "./fake/browser.js";
import type { FakeClient } from "./fake/client.js";
import { FakeError, FakeHub } from "./fake/hub.js";
import { ManualTime } from "./fake/time.js";

interface Page {
  readonly tab: FakeTab;
  readonly swarm: TabSwarm;
  /** The clients that the page has opened. Each client has one socket. */
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

/** Returns the clock of a tab. While the tab hangs, its timers do not run. */
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
  swarm.subscribe((message) => log.push(`received ${message.name} ${JSON.stringify(message.data)}`));
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

  it("T13_relays_messages_both_ways_and_sends_recent_messages_to_a_late_tab", async () => {
    const [ann, ben] = [await join(), await join()];
    void ann.swarm.publish("tick", 1);
    void ben.swarm.send("hi", "from ben");
    await time.advance(100);
    const cem = await join();
    for (const page of [ann, ben, cem]) {
      const received = page.log.filter((line) => line.startsWith("received"));
      assert.deepEqual(received, ["received tick 1", 'received hi "from ben"']);
    }
  });

  it("T13_delivers_a_message_once_even_if_the_next_connection_repeats_it", async () => {
    const [ann, ben] = [await join(), await join()];
    hub.identify = true;
    void ann.swarm.publish("tick", 1);
    await time.advance(100);
    void ann.swarm.close();
    await time.advance(500);
    assert.ok(ben.swarm.isLeader);
    assert.equal(ben.clients[0]?.channelParams["rewind"], "50");
    assert.deepEqual(ben.log, ["received tick 1", "elected 2"]);
  });

  it("T2_another_tab_leads_after_a_close_in_a_new_term_under_the_same_client_id", async () => {
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

  it("T2_lets_no_other_tab_lead_before_the_work_has_stopped", async () => {
    const [ann, ben] = [await join(), await join()];
    let stop = (): void => {};
    ann.swarm.onDemotion(() => new Promise<void>((resolve) => (stop = resolve)));
    void ann.swarm.close();
    await time.advance(300);
    assert.equal(ben.swarm.holdsSocket, false, "the first tab holds the lock until its work has stopped");
    stop();
    await time.advance(300);
    assert.ok(ben.swarm.isLeader);
  });

  it("T5_T7_one_tab_steals_from_a_hanging_tab_which_follows_later", async () => {
    const [ann, ben, cem] = [await join(), await join(), await join()];
    hang(ann);
    await time.advance(5000);
    assert.deepEqual([ben.swarm.holdsSocket, cem.swarm.holdsSocket], [false, false]);
    assert.equal(ann.swarm.isLeader, false, "the tab stops by its own clock before the steal");
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

  it("T12_releases_the_socket_before_a_freeze_and_joins_again_afterwards", async () => {
    const [ann, ben] = [await join(), await join()];
    ann.tab.leave();
    await time.advance(300);
    assert.deepEqual(ann.log, ["elected 1", "lost suspended"]);
    assert.ok(ben.swarm.isLeader);
    const receivers = [...browser.receivers].filter((receiver) => receiver.tab === ann.tab);
    assert.equal(receivers.length, 0, "the tab has closed its channel");
    assert.equal(ann.swarm.status, "disconnected");
    ann.tab.comeBack();
    await time.advance(300);
    assert.equal(ann.swarm.status, "connected");
    assert.equal(ann.swarm.leader?.term, 2);
    assert.equal(ann.clients.length, 1);
  });

  it("T11_a_tab_that_the_hub_rejects_releases_the_lock_and_reports_the_reason", async () => {
    const refusal = new Error("not in here");
    const errors: unknown[] = [];
    const onError = (error: unknown): unknown => errors.push(error);
    let opened = 0;
    const ann = await join({
      swarm: (id) => {
        opened++;
        const client = hub.client(id);
        client.channels.get("room").attach = () => Promise.reject(refusal);
        return new Swarm("room", { client, clock: time, onError });
      },
      onError,
    });
    assert.deepEqual(errors, [refusal]);
    await assert.rejects(ann.swarm.connect(), refusal);
    const ben = await join();
    assert.ok(ben.swarm.isLeader);
    await time.advance(10_000);
    assert.equal(opened, 1, "the rejected tab waits in the queue for the lock");
    assert.equal(ann.swarm.status, "connected", "the rejected tab follows the other tab");
  });

  it("T11_reports_an_outage_once_while_the_tab_tries_again", async () => {
    const errors: unknown[] = [];
    const onError = (error: unknown): unknown => errors.push(error);
    let [opened, rejects] = [0, true];
    const ann = await join({
      swarm: (id, outage) => {
        opened++;
        const client = hub.client(id);
        if (rejects) client.channels.get("room").attach = () => Promise.reject(new Error("not in here"));
        return new Swarm("room", { client, clock: time, onError }, outage);
      },
      onError,
    });
    await time.advance(20_000);
    assert.deepEqual([opened, errors.length], [3, 1]);
    rejects = false;
    await time.advance(60_000);
    assert.equal(ann.swarm.status, "connected");
    rejects = true;
    ann.tab.leave();
    await time.advance(300);
    ann.tab.comeBack();
    await time.advance(300);
    assert.deepEqual([opened, errors.length], [5, 2], "the second outage starts after a connection");
  });

  it("leaves_no_timer_if_connect_throws", async () => {
    const tab = new FakeTab(browser);
    tab.watch = () => {
      throw new Error("on purpose");
    };
    const swarm = new TabSwarm("room", { key: "a.b:c", endpoint: "hub.example", platform: tab, clock: time });
    await assert.rejects(swarm.connect({ timeoutMillis: 3000 }), /on purpose/);
    await time.advance(0);
    assert.equal(time.pendingTimers, 0);
  });

  it("closes_and_rejects_connect_when_a_limit_is_reached", async () => {
    const tab = new FakeTab(browser);
    const client = hub.client("ann");
    client.connect = () => {};
    const make = (): Swarm => new Swarm("room", { client, clock: time });
    const where = { endpoint: "hub.example", tls: false };
    const swarm = new TabSwarm("room", { key: "a.b:c", ...where, platform: tab, clock: time, swarm: make });
    const late = assert.rejects(
      swarm.connect({ timeoutMillis: 3000 }),
      /not connected to ws:\/\/hub\.example:80 within 3000 ms/,
    );
    await time.advance(2999);
    assert.deepEqual([swarm.status, swarm.holdsSocket], ["connecting", true]);
    await time.advance(1);
    await late;
    assert.deepEqual([swarm.status, swarm.holdsSocket], ["closed", false]);
  });

  it("T14_each_tab_has_its_own_connection_if_the_browser_has_no_locks", async (t) => {
    browser.refuses = new Error("not on this page");
    const warned = t.mock.method(console, "warn", () => {});
    const [ann, ben] = [await join(), await join()];
    assert.deepEqual([ann.clients.length, ben.clients.length], [1, 1]);
    assert.deepEqual([ann.swarm.isLeader, ben.swarm.isLeader], [true, false]);
    assert.deepEqual(
      warned.mock.calls.map((call) => call.arguments),
      [["swarm: each tab opens its own connection, because not on this page"]],
    );
  });

  it("T14_is_an_ordinary_swarm_outside_a_browser", async (t) => {
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

  it("T13_forwards_the_reason_of_a_rejected_message", async () => {
    const [ann, ben] = [await join(), await join()];
    const channel = ann.clients[0]?.channels.get("room");
    assert.ok(channel);
    channel.publish = () => Promise.reject(new FakeError(40911, "channel is fenced"));
    const sending = assert.rejects(ben.swarm.send("hi"), { code: 40911, message: "channel is fenced" });
    await time.advance(100);
    await sending;
  });

  it("T13_reports_a_message_of_unknown_outcome", async () => {
    const [ann, ben] = [await join(), await join()];
    hang(ann);
    let error: unknown = null;
    ben.swarm.send("hi").catch((reason: unknown) => (error = reason));
    for (let waited = 0; error === null && waited < 7000; waited += 100) await time.advance(100);
    assert.ok(error instanceof UnansweredError);
    assert.equal(ben.swarm.holdsSocket, false, "the error arrives before this tab has the socket");
    void ben.swarm.close();
    await assert.rejects(ben.swarm.send("hi"), /"hi" was not sent: this swarm is not open/);
  });

  it("T13_stores_at_most_100_messages_before_a_tab_is_connected", async () => {
    const ann = await join();
    hang(ann);
    const ben = await join();
    const sending = Array.from({ length: 100 }, (_, i) => ben.swarm.send("n", i));
    await assert.rejects(ben.swarm.send("n", 100), /"n" was not sent: 100 messages already wait for an answer/);
    await time.advance(9000);
    assert.ok(ben.swarm.holdsSocket, "the tab stole the lock");
    await Promise.all(sending);
    assert.equal(hub.history.length, 100);
  });

  it("calls_a_listener_that_is_added_late_and_not_one_that_was_removed", async () => {
    const ann = await join();
    const late: number[] = [];
    ann.swarm.onElection = ({ term }) => late.push(term);
    await time.advance(1);
    assert.deepEqual(late, [1]);
    const received: InboundMessage[] = [];
    ann.swarm.subscribe((message) => received.push(message))();
    void ann.swarm.send("hi");
    await time.advance(100);
    assert.equal(received.length, 0);
  });

  it("resigns_and_campaigns_again_after_the_cooldown", async () => {
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

  it("are_rejected_with_their_value_and_bound", () => {
    const open = (options: object) => new TabSwarm("room", { key, ...options });
    assert.throws(() => open({ silentMillis: 10 }), /silentMillis is 10, but must be an integer from 2000 to 60000/);
    assert.throws(() => open({ ttlMillis: 1 }), /ttlMillis is 1, but/);
  });

  it("yield_a_scope_name_without_the_secret", () => {
    const scope = scopeOf("room", { key, endpoint: "hub.example" });
    assert.ok(scope.startsWith("doyen/1/room/") && scope.includes("app.id") && !scope.includes("secret"));
    const others = [{ key: "other.id:x" }, { key, clientId: "ann" }, { key, candidate: false }, { key, port: 1 }];
    for (const other of others) assert.notEqual(scopeOf("room", { endpoint: "hub.example", ...other }), scope);
    assert.equal(scopeOf("room", { key, scope: "mine" }), scopeOf("room", { scope: "mine" }));
  });
});

describe("messages between tabs", () => {
  it("are_accepted_only_in_a_valid_form", () => {
    const good = { v: 1, from: "a", kind: "heartbeat", generation: 1, device: "d", stolen: false };
    assert.deepEqual(readMessage(good), good);
    const bad: unknown[] = [
      null,
      "heartbeat",
      7,
      { ...good, v: 2 },
      { ...good, generation: "1" },
      { ...good, from: 1 },
    ];
    bad.push({ ...good, kind: "toString" }, { ...good, device: null }, { v: 1, from: "a", kind: "bid" });
    for (const each of bad) assert.equal(readMessage(each), null, JSON.stringify(each));
  });
});
