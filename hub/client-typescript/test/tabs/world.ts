import * as ranking from "../../src/ranking.js";
import type { TabSettings } from "../../src/tabs.js";
import { ModelClient } from "../simulation/client.js";
import { ModelHub } from "../simulation/hub.js";
import { Random } from "../simulation/random.js";
import { Timeline } from "../simulation/timeline.js";
import { SETTINGS } from "../simulation/world.js";
import { ModelBrowser, type ModelTab, type Tabs } from "./model.js";

export interface Outcome {
  /** Texts that describe the violations of rules. */
  readonly faults: readonly string[];
  readonly steals: number;
  /** The number of sockets that were opened in the whole scenario. */
  readonly sockets: number;
  /** The longest time in which a tab could connect but no tab had a socket, in milliseconds. */
  readonly longestWithoutMillis: number;
}

const TABS: TabSettings = {
  heartbeatMillis: 1000,
  silentMillis: 5000,
  bidMillis: 1000,
  lagMillis: 1500,
  stealCooldownMillis: 30_000,
  stealCooldownMaxMillis: 600_000,
  unfitMillis: 5000,
  unfitMaxMillis: 60_000,
};

const FAULTS_END = 70_000;
const END = 200_000;
/**
 * The maximum time with two sockets, in milliseconds. If another tab stole the lock during a freeze, the frozen tab
 * keeps its socket after the freeze, until the browser reports the loss of the lock.
 */
const MAX_DOUBLE_MILLIS = 5;
/**
 * The maximum number of sockets in one scenario. A tab opens a socket when it acquires the lock. A tab acquires the
 * lock after the former holder has released it or failed, or by stealing it. A higher number means that the tabs pass
 * the lock to each other again and again.
 */
const MAX_SOCKETS = 30;

/**
 * Runs one seeded scenario of one browser and another device, on a hub that grants claims.
 *
 * The tabs open, close, freeze, hang, become unreachable, are throttled or are rejected. After 70 s of faults, all
 * tabs recover, except tabs that hang or are rejected forever.
 */
export function run(machine: Tabs, seed: number): Outcome {
  const random = new Random(seed);
  const time = new Timeline();
  const hub = new ModelHub(time, random, true);
  const browser = new ModelBrowser(time, hub, random, TABS, SETTINGS, machine);
  const other = new ModelClient("other device", SETTINGS, time, hub, random, ranking);
  if (random.chance(0.5)) time.at(random.between(0, 30_000), () => other.connect());

  for (let i = 0; i < 5; i++) {
    const at = random.chance(0.6) ? random.between(0, 500) : random.between(0, FAULTS_END);
    time.at(at, () => browser.open(random.chance(0.4)));
  }
  for (let i = 0; i < 9; i++) {
    time.at(random.between(1000, FAULTS_END), () => {
      const holder = browser.lock.heldBy;
      const living = browser.tabs.filter((tab) => tab.alive);
      // Half of the faults hit the holder, because such a fault is the most likely to break a rule.
      const victim =
        holder !== null && random.chance(0.5) ? holder : living[Math.floor(random.between(0, living.length))];
      if (victim !== undefined) fault(victim, random);
    });
  }
  time.at(FAULTS_END, () => {
    for (const tab of browser.tabs) [tab.throttled, tab.barred] = [false, tab.barredForEver];
  });

  const watch = new Watch(time, browser, other);
  const tick = () => time.after(20, tick);
  tick();
  time.runUntil(END, () => watch.check());
  return watch.outcome();
}

function fault(tab: ModelTab, random: Random): void {
  const choice = random.next();
  if (choice < 0.15) tab.close();
  else if (choice < 0.25) tab.crash();
  else if (choice < 0.5) tab.freeze(random.chance(0.2) ? END : random.between(500, 40_000), false);
  else if (choice < 0.65) tab.freeze(random.between(500, 40_000), true);
  else if (choice < 0.75) tab.show(!tab.visible);
  else if (choice < 0.85) tab.makeUnreachable(random.between(1000, 20_000));
  else if (choice < 0.93) tab.throttled = !tab.visible;
  else [tab.barred, tab.barredForEver] = [true, random.chance(0.3)];
}

/** Checks the browser and the other device after every event. */
class Watch {
  private readonly faults = new Set<string>();
  private doubleSince: number | null = null;
  private withoutSince: number | null = null;
  private longestWithout = 0;
  private greatest = 0;
  private readonly led = new Map<ModelClient, number>();
  private readonly time: Timeline;
  private readonly browser: ModelBrowser;
  private readonly other: ModelClient;

  constructor(time: Timeline, browser: ModelBrowser, other: ModelClient) {
    this.time = time;
    this.browser = browser;
    this.other = other;
  }

  check(): void {
    const { tabs, lock } = this.browser;
    const { now } = this.time;
    this.readLeaders();

    const well = tabs.filter((tab) => tab.alive && !tab.frozen);
    const connected = well.filter((tab) => tab.swarm !== null);
    this.doubleSince = connected.length > 1 ? (this.doubleSince ?? now) : null;
    if (now - (this.doubleSince ?? now) > MAX_DOUBLE_MILLIS) this.faults.add("two running tabs have a socket");
    const fit = well.filter((tab) => !tab.unreachable && !tab.barred && !tab.throttled);
    this.withoutSince = fit.length > 0 && connected.length === 0 ? (this.withoutSince ?? now) : null;
    this.longestWithout = Math.max(this.longestWithout, now - (this.withoutSince ?? now));
    const asleep = lock.heldBy;
    if (asleep?.asleep === true && asleep.alive && now - asleep.asleepSince > 20) {
      this.faults.add(`${asleep.name} holds the lock while it is frozen, although the browser warned it`);
    }
  }

  private readLeaders(): void {
    const inTerm = [...this.browser.swarms, this.other].filter((client) => client.state.leadingTerm !== null);
    if (inTerm.length > 1) {
      const leaders = inTerm.filter((client) => client.leads);
      if (leaders.length > 1) this.faults.add(`two leaders at once: ${leaders.map((client) => client.id).join(", ")}`);
    }
    for (const client of inTerm) {
      const term = client.state.leadingTerm ?? 0;
      if (this.led.get(client) === term) continue;
      this.led.set(client, term);
      if (term <= this.greatest) this.faults.add(`${client.id} leads in term ${term}, after term ${this.greatest}`);
      this.greatest = term;
    }
  }

  outcome(): Outcome {
    const { tabs, lock, faults, steals, swarms } = this.browser;
    const well = tabs.filter((tab) => tab.alive && !tab.frozen);
    const fit = well.filter((tab) => !tab.barred);
    const holders = well.filter((tab) => tab.holds);
    if (swarms.length > MAX_SOCKETS) this.faults.add(`${swarms.length} sockets were opened`);
    const end = (what: string) => this.faults.add(`at the end ${what}`);
    if (fit.length > 0) {
      const [holder] = holders;
      if (holders.length !== 1) end(`${holders.length} tabs hold the socket`);
      else if (lock.heldBy !== holder) end("another tab holds the lock");
      else if (holder?.online !== true) end("the holder has no socket");
      for (const tab of well) {
        if (tab === holder || tab.state.holder?.tab === holder?.name) continue;
        end(`${tab.name} follows ${tab.state.holder?.tab ?? "nobody"}`);
      }
      const leaders = [...this.browser.swarms, this.other].filter((client) => client.leads);
      if (leaders.length !== 1) end(`${leaders.length} members lead`);
    }
    return {
      faults: [...this.faults, ...faults],
      steals: steals.length,
      sockets: swarms.length,
      longestWithoutMillis: this.longestWithout,
    };
  }
}
