import type { Moment } from "../../src/moment.js";
import * as ranking from "../../src/ranking.js";
import { VERSION, type TabMessage } from "../../src/tab-messages.js";
import type * as TabsModule from "../../src/tabs.js";
import type { TabEffect, TabInput, TabSettings, TabState } from "../../src/tabs.js";
import { ModelClient } from "../simulation/client.js";
import type { ModelHub } from "../simulation/hub.js";
import type { Random } from "../simulation/random.js";
import type { Timeline } from "../simulation/timeline.js";

/** The functions of the machine under test, which is the real machine or a mutant. */
export type Tabs = Pick<typeof TabsModule, "initialTab" | "stepTab" | "holds" | "believes">;

/** The lock of one scope, as in a browser. The lock is granted in the order of requests, unless a tab steals it. */
export class ModelLock {
  private holder: ModelTab | null = null;
  private readonly queue: ModelTab[] = [];

  get heldBy(): ModelTab | null {
    return this.holder;
  }

  request(tab: ModelTab): void {
    this.queue.push(tab);
    this.next();
  }

  leave(tab: ModelTab): void {
    const at = this.queue.indexOf(tab);
    if (at >= 0) this.queue.splice(at, 1);
  }

  steal(tab: ModelTab): void {
    const robbed = this.holder;
    this.holder = tab;
    if (robbed !== null && robbed !== tab) robbed.arrive({ type: "robbed" });
    tab.arrive({ type: "granted" });
  }

  release(tab: ModelTab): void {
    if (this.holder !== tab) return;
    this.holder = null;
    this.next();
  }

  private next(): void {
    if (this.holder !== null) return;
    const first = this.queue.shift();
    if (first === undefined) return;
    this.holder = first;
    first.arrive({ type: "granted" });
  }
}

/** The state that all tabs of a browser share, and the results of the run. */
export class ModelBrowser {
  readonly lock = new ModelLock();
  readonly tabs: ModelTab[] = [];
  /** Every swarm that a tab of this browser has opened. */
  readonly swarms: ModelClient[] = [];
  /** Texts that describe the violations of rules. */
  readonly faults: string[] = [];
  readonly steals: { readonly at: number; readonly by: ModelTab; readonly delivered: boolean }[] = [];
  readonly time: Timeline;
  readonly hub: ModelHub;
  readonly random: Random;
  readonly settings: TabSettings;
  readonly ranking: ranking.Settings;
  readonly machine: Tabs;

  constructor(
    time: Timeline,
    hub: ModelHub,
    random: Random,
    settings: TabSettings,
    rank: ranking.Settings,
    machine: Tabs,
  ) {
    this.time = time;
    this.hub = hub;
    this.random = random;
    this.settings = settings;
    this.ranking = rank;
    this.machine = machine;
  }

  open(visible: boolean): ModelTab {
    const tab = new ModelTab(this, `tab${this.tabs.length}`, visible);
    this.tabs.push(tab);
    tab.arrive({ type: "start", visible });
    return tab;
  }

  /** Sends a message to all tabs, including the sender. The messages of one sender arrive late, but in order. */
  broadcast(message: TabMessage): void {
    for (const tab of this.tabs) tab.receiveLater(message);
  }
}

/** A simulated tab. The tab consists of the machine, a driver on simulated time, and the tab's swarm. */
export class ModelTab {
  readonly name: string;
  state: TabState;
  /** The swarm that is open now. */
  swarm: ModelClient | null = null;
  alive = true;
  /** True if no tab receives this tab's messages, and this tab receives no messages. */
  unreachable = false;
  /** True while the tab is frozen after a warning by the browser. Such a tab must not hold the lock. */
  asleep = false;
  asleepSince = 0;
  /** The end of the latest period in which the tab is frozen or unreachable. */
  impairedUntil = -Infinity;
  readonly openedAt: number;
  private unreachableSince = -Infinity;
  /** The greatest generation that the tab received from another tab. */
  private newest = 0;
  private newestReceivedAt = -Infinity;
  /** True if the tab's timers run at most once a minute, as in a tab that has been hidden for a long time. */
  throttled = false;
  /** True if the hub rejects the tab's connection. */
  barred = false;
  barredForEver = false;
  visible: boolean;
  private frozenMillis = 0;
  private frozenUntil = -Infinity;
  private held: (() => void)[] = [];
  private timerId = 0;
  private requested = false;
  private readonly arrivals = new Map<string, number>();
  private opened = 0;
  private givings = 0;
  private connected: ModelClient | null = null;
  private readonly browser: ModelBrowser;
  private readonly clockOrigin: number;

  constructor(browser: ModelBrowser, name: string, visible: boolean) {
    this.browser = browser;
    this.name = name;
    this.visible = visible;
    this.state = browser.machine.initialTab(browser.settings, name, `device of ${name}`);
    this.openedAt = browser.time.now;
    this.clockOrigin = browser.random.between(0, 1e6);
  }

  /** Returns true if the tab has a socket that the hub has accepted. */
  get online(): boolean {
    return this.swarm !== null && this.swarm === this.connected;
  }

  get frozen(): boolean {
    return this.browser.time.now < this.frozenUntil;
  }

  get holds(): boolean {
    return this.alive && this.browser.machine.holds(this.state);
  }

  /** Handles an input from the browser or a timer. A frozen tab handles the input after the freeze. */
  arrive(input: TabInput): void {
    this.awake(() => this.feed(input));
  }

  receiveLater(message: TabMessage): void {
    if (this.unreachable) return;
    const { time, random } = this.browser;
    const delay = random.chance(0.02) ? random.between(20, 300) : random.between(0.1, 8);
    const at = Math.max(this.arrivals.get(message.from) ?? 0, time.now + delay);
    this.arrivals.set(message.from, at);
    time.at(at, () => this.arrive({ type: "received", message }));
  }

  /** Stops the tab. If `warned` is true, the browser warns the tab and then freezes it. Otherwise the tab hangs. */
  freeze(millis: number, warned: boolean): void {
    const { time } = this.browser;
    if (!this.alive || this.frozen) return;
    if (warned) this.feed({ type: "away" });
    this.asleep = warned;
    this.asleepSince = time.now;
    this.frozenMillis = millis;
    this.frozenUntil = time.now + millis;
    this.impairedUntil = Math.max(this.impairedUntil, this.frozenUntil);
    this.swarm?.freeze(millis, warned);
    time.after(millis, () => {
      const { held } = this;
      this.held = [];
      this.asleep = false;
      if (warned) this.arrive({ type: "back", visible: this.visible });
      for (const run of held) this.awake(run);
    });
  }

  makeUnreachable(millis: number): void {
    this.unreachable = true;
    this.unreachableSince = this.browser.time.now;
    this.impairedUntil = Math.max(this.impairedUntil, this.browser.time.now + millis);
    this.browser.time.after(millis, () => (this.unreachable = false));
  }

  show(visible: boolean): void {
    this.visible = visible;
    if (visible) this.throttled = false;
    this.arrive({ type: "visibility", visible });
  }

  close(): void {
    if (!this.alive || this.frozen) return;
    this.feed({ type: "close" });
    this.die();
  }

  crash(): void {
    if (!this.alive) return;
    this.swarm?.kill();
    this.die();
  }

  private die(): void {
    this.alive = false;
    const { lock } = this.browser;
    lock.leave(this);
    // After a page has closed, the browser grants the page's lock to the next tab.
    this.browser.time.after(this.browser.random.between(1, 200), () => lock.release(this));
  }

  private feed(input: TabInput): void {
    if (!this.alive) return;
    const { machine, time, random } = this.browser;
    if (
      input.type === "received" &&
      (input.message.generation ?? 0) >= this.newest &&
      input.message.from !== this.name
    ) {
      this.newest = input.message.generation ?? this.newest;
      this.newestReceivedAt = input.message.generation === undefined ? this.newestReceivedAt : time.now;
    }
    const at = this.moment();
    const { state, effects, wakeAt } = machine.stepTab(this.state, at, input);
    this.state = state;
    const id = ++this.timerId;
    if (wakeAt !== null) {
      // A browser delays the timers of a hidden tab by up to 1 s. The timers of a throttled tab run once a minute.
      const delay = Math.max(0, wakeAt - at.now);
      const late = this.visible ? random.between(0, 5) : random.between(0, 1000);
      const wait = this.throttled ? Math.max(60_000, delay) : delay + late;
      time.after(wait, () => this.awake(() => id === this.timerId && this.feed({ type: "tick" })));
    }
    for (const effect of effects) this.carryOut(effect);
  }

  private carryOut(effect: TabEffect): void {
    const { lock, time, random } = this.browser;
    switch (effect.type) {
      case "ask":
        this.requested = true;
        return void time.after(random.between(0.5, 10), () => this.requested && this.alive && lock.request(this));
      case "leaveQueue":
        this.requested = false;
        return lock.leave(this);
      case "steal":
        this.judgeSteal(lock.heldBy);
        this.browser.steals.push({ at: time.now, by: this, delivered: !this.unreachable });
        return lock.steal(this);
      case "release": {
        const giving = ++this.givings;
        return void time.after(effect.when === "now" ? 1 : random.between(1, 300), () => {
          if (giving !== this.givings) return;
          lock.release(this);
          this.arrive({ type: "released" });
        });
      }
      case "open":
        return this.open(effect.device);
      case "shut":
        this.swarm?.close();
        this.swarm = null;
        return;
      case "send":
        return this.send(effect);
      case "follow": {
        const generation = effect.holder?.generation ?? 0;
        const lately = time.now - this.newestReceivedAt < this.browser.settings.silentMillis;
        if (generation !== 0 && generation < this.newest && lately) this.fault("follows an older holder than before");
        return;
      }
      case "inform":
        return;
    }
  }

  private open(device: string): void {
    const { browser } = this;
    const id = `${browser.tabs.indexOf(this)}.${++this.opened} ${device}`;
    const { time, hub, random } = browser;
    this.swarm = new ModelClient(id, browser.ranking, time, hub, random, ranking);
    browser.swarms.push(this.swarm);
    const mine = this.swarm;
    time.after(random.between(5, 60), () => {
      if (!this.alive || this.swarm !== mine) return;
      if (this.barred) this.arrive({ type: "failed" });
      else {
        this.connected = mine;
        mine.connect();
        this.arrive({ type: "connected" });
      }
    });
  }

  private judgeSteal(victim: ModelTab | null): void {
    const { steals, time, settings } = this.browser;
    const longUnreachable = this.unreachable && time.now - this.unreachableSince > 2500;
    if (longUnreachable) this.fault("steals although it is unreachable");
    const well = victim?.alive === true && !victim.unreachable && time.now - victim.impairedUntil > 2500;
    if (well && !this.unreachable) this.fault(`steals from ${victim.name}, which is not impaired`);
    const last = steals.at(-1);
    const wasReceived = last?.delivered === true && Math.max(this.openedAt, this.impairedUntil) < last.at;
    if (wasReceived && time.now - last.at < settings.stealCooldownMillis) {
      this.fault(`steals ${Math.round(time.now - last.at)} ms after ${last.by.name} did`);
    }
  }

  private fault(what: string): void {
    this.browser.faults.push(`at ${Math.round(this.browser.time.now)} ${this.name} ${what}`);
  }

  private send({ message }: TabEffect & { type: "send" }): void {
    const from = this.name;
    const { silentMillis, heartbeatMillis, lagMillis } = this.browser.settings;
    const noticed = this.frozenMillis > heartbeatMillis + lagMillis + 1000;
    if (message.kind === "bid" && noticed && this.browser.time.now - this.frozenUntil < silentMillis - 10) {
      this.fault("sends a steal request although it was frozen a moment ago");
    }
    const { generation, device, stolen } = this.state;
    const holder = message.kind === "heartbeat" ? { generation, device, stolen } : {};
    const sent = { v: VERSION, from, ...holder, ...message };
    if (!this.unreachable) this.browser.broadcast(sent as TabMessage);
  }

  private awake(run: () => void): void {
    if (this.frozen) this.held.push(run);
    else run();
  }

  private moment(): Moment {
    const now = this.browser.time.now;
    return { now: this.clockOrigin + now, wall: 1.7e12 + now };
  }
}
