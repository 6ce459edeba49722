import type * as machine from "../src/lease.js";
import type {
  LeaderView,
  LeaseEffect,
  LeaseInput,
  LeaseMachine,
  LeaseRecord,
  LeaseSettings,
  Moment,
} from "../src/lease-state.js";
import { Random } from "./random.js";

export type Machine = typeof machine;

export interface Outcome {
  /** Texts that describe the violations of rules. */
  readonly faults: readonly string[];
  readonly terms: number;
  /** The longest time in which a running tab could claim but no tab led, in milliseconds. */
  readonly longestWithoutMillis: number;
  readonly hasLocks: boolean;
}

const SETTINGS: LeaseSettings = { candidate: true, ttlMillis: 5000, cooldownMillis: 5000 };
const FAULTS_END = 200_000;
const END = 520_000;

/** Tabs of one browser with a record, locks and a channel. Time is simulated, and a seed selects all random numbers. */
class World {
  readonly random: Random;
  readonly machine: Machine;
  readonly tabs: ModelTab[] = [];
  readonly faults = new Set<string>();
  readonly hasLocks: boolean;
  now = 0;
  wallShift = 1_700_000_000_000;
  record: LeaseRecord | null = null;
  lastSaved = 0;
  maxTerm = 0;
  terms = 0;
  readonly locks = new Map<string, ModelTab>();
  private readonly events: { at: number; n: number; run: () => void }[] = [];
  private n = 0;
  private withoutSince: number | null = null;
  longestWithout = 0;

  constructor(machine: Machine, seed: number) {
    this.machine = machine;
    this.random = new Random(seed);
    this.hasLocks = this.random.chance(0.7);
  }

  after(millis: number, run: () => void): void {
    const at = this.now + Math.max(0, millis);
    const event = { at, n: this.n++, run };
    let i = this.events.length;
    while (i > 0 && this.events[i - 1]!.at > at) i--;
    this.events.splice(i, 0, event);
  }

  runUntil(end: number): void {
    for (let next = this.events[0]; next !== undefined && next.at <= end; next = this.events[0]) {
      this.events.shift();
      this.now = next.at;
      next.run();
      this.check();
    }
  }

  open(): void {
    const tab = new ModelTab(this, `tab${this.tabs.length}`, this.random.chance(0.6));
    this.tabs.push(tab);
    tab.feed({ type: "start", visible: tab.visible });
  }

  /** Suspends the computer. The wall clock continues, and the monotonic clocks of some tabs stop. */
  suspend(millis: number): void {
    this.wallShift += millis;
    for (const tab of this.tabs) if (this.random.chance(0.5)) tab.offset += millis;
  }

  drop(lock: string): void {
    this.locks.delete(lock);
    if (!this.hasLocks) return;
    for (const tab of this.tabs) {
      if (tab.watched === lock) this.after(this.random.between(0, 20), () => tab.lockEnded(lock));
    }
  }

  private check(): void {
    const leaders = this.tabs.filter((tab) => tab.leads);
    if (leaders.length > 1) this.faults.add(`two tabs lead at once: ${leaders.map((tab) => tab.name).join(", ")}`);
    if (leaders.some((tab) => tab.away)) this.faults.add("a frozen page leads");
    const able = this.tabs.some((tab) => tab.alive && !tab.stopped && !tab.away && !tab.throttled);
    this.withoutSince = able && leaders.length === 0 ? (this.withoutSince ?? this.now) : null;
    this.longestWithout = Math.max(this.longestWithout, this.now - (this.withoutSince ?? this.now));
  }
}

class ModelTab {
  readonly world: World;
  readonly name: string;
  visible: boolean;
  alive = true;
  stopped = false;
  away = false;
  throttled = false;
  shown: LeaderView | null = null;
  watched: string | undefined;
  offset: number;
  private readonly rate: number;
  private readonly lease: LeaseMachine;
  private lock = "";
  /** True until the work of the last leadership has stopped. */
  private works = false;
  private wakes = 0;
  private waiting: (() => void)[] = [];

  constructor(world: World, name: string, visible: boolean) {
    this.world = world;
    this.name = name;
    this.visible = visible;
    this.offset = world.random.between(0, 1e6);
    this.rate = world.random.between(0.96, 1.04);
    this.lease = world.machine.newLease(SETTINGS, name);
  }

  /** True if the tab's own code would see itself as the leader now, also while the tab hangs. */
  get leads(): boolean {
    return this.alive && this.lease.remainingMillis(this.moment()) > 0;
  }

  feed(input: LeaseInput): void {
    this.run(() => {
      const { effects, watched, shown, wakeAt } = this.lease.step(this.moment(), input);
      this.shown = shown;
      for (const effect of effects) this.carryOut(effect);
      this.watch(watched);
      const wake = ++this.wakes;
      if (wakeAt === undefined) return;
      let millis = Math.ceil(Math.max(0, wakeAt - this.moment().now) / this.rate);
      // A browser runs the timers of a throttled tab once a minute.
      if (this.throttled) millis = Math.ceil((this.world.now + millis) / 60_000) * 60_000 - this.world.now;
      this.world.after(millis, () => wake === this.wakes && this.feed({ type: "tick" }));
    });
  }

  lockEnded(lock: string): void {
    if (this.watched !== lock) return;
    this.watched = undefined;
    this.feed({ type: "gone", lock });
  }

  /** Stops all code of the tab. The tab keeps its locks and has received no event. */
  hang(millis: number): void {
    this.stopped = true;
    this.world.after(millis, () => {
      this.stopped = false;
      for (const run of this.waiting.splice(0)) this.run(run);
    });
  }

  /** Freezes the page, or moves it to the back-forward cache. The page receives an event before. */
  freeze(millis: number): void {
    if (this.away || this.stopped) return;
    this.feed({ type: "away" });
    this.away = true;
    this.hang(millis);
    this.world.after(millis, () => {
      this.away = false;
      this.feed({ type: "start", visible: this.visible });
    });
  }

  end(withEvent: boolean): void {
    if (withEvent) this.feed({ type: "close" });
    this.world.after(withEvent ? 100 : 0, () => {
      this.alive = false;
      for (const [lock, tab] of [...this.world.locks]) if (tab === this) this.world.drop(lock);
    });
  }

  show(visible: boolean): void {
    this.visible = visible;
    this.throttled = false;
    this.feed({ type: "visibility", visible });
  }

  private run(run: () => void): void {
    if (!this.alive) return;
    if (this.stopped) this.waiting.push(run);
    else run();
  }

  private moment(): Moment {
    return { now: this.offset + this.world.now * this.rate, wall: this.world.now + this.world.wallShift };
  }

  private carryOut(effect: LeaseEffect): void {
    const { world } = this;
    switch (effect.type) {
      case "read":
        return this.transact(() => null);
      case "claim": {
        const lock = world.machine.lockOf(effect.record)!;
        world.locks.set(lock, this);
        this.lock = lock;
        const { expected, record } = effect;
        const change = (now: LeaseRecord | null) =>
          world.machine.sameVersion(now, expected) ? { ...now, ...record } : null;
        return this.transact(change, () => world.drop(lock));
      }
      case "renew": {
        const { renewal, ttl } = effect;
        return this.transact((now) => (this.isMine(now, effect.term) ? { ...now!, renewal, ttl } : null));
      }
      case "release": {
        const { lock } = this;
        const release = () => {
          this.works = false;
          this.commit(
            (now) => (this.isMine(now, effect.term) ? { ...now!, holder: null } : null),
            () => {
              world.drop(lock);
              this.tell();
              this.feed({ type: "released" });
            },
          );
        };
        // A page that freezes releases only the lock.
        if (effect.atOnce) {
          this.works = false;
          world.drop(lock);
          world.after(0, () => this.feed({ type: "released" }));
        } else world.after(world.random.between(0, 300), () => this.run(release));
        return;
      }
      case "startWork":
        world.terms++;
        if (this.works) world.faults.add(`${this.name} starts to work before its earlier work has stopped`);
        this.works = true;
        if (effect.term <= world.maxTerm) world.faults.add(`term ${effect.term} follows term ${world.maxTerm}`);
        world.maxTerm = effect.term;
        this.tell();
        this.save(effect.term);
        return;
    }
  }

  private watch(lock: string | undefined): void {
    const { world } = this;
    if (lock === this.watched) return;
    this.watched = lock;
    const ended = lock !== undefined && !world.locks.has(lock);
    if (ended && world.hasLocks) world.after(world.random.between(0, 20), () => this.lockEnded(lock));
  }

  private isMine(now: LeaseRecord | null, term: number): boolean {
    return now?.term === term && now.holder === this.name;
  }

  private save(term: number): void {
    this.commit(
      (now) => {
        if (!this.isMine(now, term)) return null;
        const seq = ++this.world.lastSaved;
        return { ...now!, saved: { term, seq, state: null } };
      },
      () => {},
    );
  }

  private tell(): void {
    const { world } = this;
    for (const tab of world.tabs) {
      if (tab === this || world.random.chance(0.1)) continue;
      world.after(world.random.between(1, 50), () => tab.feed({ type: "changed" }));
    }
  }

  private transact(change: (now: LeaseRecord | null) => LeaseRecord | null, undone: () => void = () => {}): void {
    this.commit(change, (done, failed) => {
      if (!done) undone();
      this.feed(failed ? { type: "failed" } : { type: "stored", record: this.world.record, done });
    });
  }

  /**
   * Changes the record in one transaction, which can be slow or fail, or whose result can be late. A failed
   * transaction has perhaps committed.
   */
  private commit(
    change: (now: LeaseRecord | null) => LeaseRecord | null,
    ended: (done: boolean, failed: boolean) => void,
  ): void {
    const { world } = this;
    const { random } = world;
    const slow = world.now < FAULTS_END && random.chance(0.03) ? random.between(500, 9000) : random.between(0.2, 20);
    const fails = world.now < FAULTS_END && random.chance(0.03);
    const commits = !fails || random.chance(0.5);
    world.after(slow, () => {
      const next = commits ? change(world.record) : null;
      if (next !== null) world.record = next;
      const late = world.now < FAULTS_END && random.chance(0.03) ? random.between(500, 9000) : random.between(0.1, 10);
      world.after(late, () => this.run(() => ended(next !== null && !fails, fails)));
    });
  }
}

/** Runs one seeded scenario. After 200 s of faults, all tabs recover. */
export function run(machine: Machine, seed: number): Outcome {
  const world = new World(machine, seed);
  const { random } = world;
  for (let i = 0; i < 6; i++) {
    world.after(random.chance(0.6) ? random.between(0, 100) : random.between(0, FAULTS_END), () => world.open());
  }
  for (let i = 0; i < 30; i++) {
    world.after(random.between(500, FAULTS_END), () => {
      const living = world.tabs.filter((tab) => tab.alive);
      const leader = living.find((tab) => tab.leads);
      const any = living[Math.floor(random.between(0, living.length))];
      const victim = leader !== undefined && random.chance(0.6) ? leader : any;
      if (victim !== undefined) fault(world, victim);
    });
  }
  world.after(FAULTS_END, () => {
    for (const tab of world.tabs) tab.throttled = false;
    world.open();
  });
  const tick = () => world.after(100, tick);
  tick();
  world.runUntil(END);

  if ((world.record?.saved?.seq ?? 0) !== world.lastSaved) world.faults.add("a saved state was lost");
  const living = world.tabs.filter((tab) => tab.alive);
  const leaders = living.filter((tab) => tab.leads);
  if (leaders.length !== 1) world.faults.add(`at the end ${leaders.length} tabs lead`);
  for (const tab of living) {
    const { shown } = tab;
    if (shown?.id !== leaders[0]?.name) world.faults.add(`at the end ${tab.name} follows ${shown?.id ?? "nobody"}`);
  }
  return {
    faults: [...world.faults],
    terms: world.terms,
    longestWithoutMillis: world.longestWithout,
    hasLocks: world.hasLocks,
  };
}

function fault(world: World, victim: ModelTab): void {
  const { random } = world;
  const choice = random.next();
  if (choice < 0.1) victim.end(true);
  else if (choice < 0.2) victim.end(false);
  else if (choice < 0.35) victim.freeze(random.between(100, 40_000));
  else if (choice < 0.55) victim.hang(random.between(100, 40_000));
  else if (choice < 0.7) victim.show(!victim.visible);
  else if (choice < 0.8) victim.throttled = !victim.visible;
  else if (choice < 0.85) world.suspend(random.between(1000, 600_000));
  else if (choice < 0.93) victim.feed({ type: "resign" });
  else world.open();
}
