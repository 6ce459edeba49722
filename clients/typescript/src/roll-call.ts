/**
 * Makes views out of a channel's members: a pure step, like the other machines. The rules P1 to P6 stand in
 * docs/spec/ring.md, "Over the hub", and docs/spec/vectors/roll holds transcripts that `RollCall` in Java reproduces too.
 *
 * A view's id says who is in it: two that have installed a view of one id have the same members, whatever the hub told
 * each of them, in which order, and what it left out.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import {
  compareMembers,
  hasMember,
  inRingOrder,
  sameMember,
  type RingMember,
  type RingView,
  type ViewId,
} from "./ring-view.js";

/** One entry of the channel's presence set. */
export interface Entry {
  /** Unique in the set. */
  readonly key: string;
  /** Null for who is present and takes no part. */
  readonly member: RingMember | null;
  /** The hub's time of the entry, in milliseconds. */
  readonly since: number;
}

export type RollInput =
  | { readonly type: "connected" }
  | { readonly type: "disconnected" }
  | { readonly type: "syncStarted" }
  | { readonly type: "syncComplete"; readonly entries: readonly Entry[] }
  | { readonly type: "present"; readonly entry: Entry }
  /** `since` is the hub's time, or 0 if the SDK only concluded it. */
  | { readonly type: "gone"; readonly key: string; readonly since: number }
  /** A member said something, and this is its view; null while it has none. */
  | {
      readonly type: "heard";
      readonly from: RingMember;
      readonly view: ViewId | null;
      /** The incarnations that it takes for silent. */
      readonly silent: readonly string[];
      /** When it said so, by its own clock; null in what is said to one. */
      readonly at: number | null;
    }
  | { readonly type: "tick" };

export type RollEffect =
  | { readonly type: "install"; readonly view: RingView }
  /**
   * Tell everybody which view this member has, and whose incarnations are silent; also a sign of life. Its echo has to bring
   * `at` back, which is now, by this member's clock.
   */
  | { readonly type: "say"; readonly view: ViewId; readonly silent: readonly string[]; readonly at: number };

export interface RollState {
  readonly me: RingMember;
  /** How often a member says something, at the least. */
  readonly sayMillis: number;
  readonly connected: boolean;
  readonly synced: boolean;
  readonly entries: ReadonlyMap<string, Entry>;
  /** What was heard while a sync was under way; null in place of an entry that went. */
  readonly overlay: ReadonlyMap<string, Entry | null>;
  /** The hub's latest time in anything that was heard. */
  readonly latest: number;
  /** When this member said what last came back to it; null if nothing did since the last sync. */
  readonly echoSaidAt: number | null;
  /** When each member was heard. */
  readonly heardAt: ReadonlyMap<string, number>;
  /** Those that were there when the last sync was complete, and were not heard since. */
  readonly unheard: ReadonlySet<string>;
  readonly silent: ReadonlySet<string>;
  readonly view: RingView | null;
  /** The creators of the views that were installed under the present number. */
  readonly used: readonly string[];
  readonly installAt: number | null;
  readonly sayAt: number;
}

export interface RollStep {
  readonly state: RollState;
  readonly effects: readonly RollEffect[];
  readonly wakeAt: number | null;
}

/** How long a change waits for others that come with it. */
const SETTLE_MILLIS = 100;
/** All members of a channel together say no more than one thing in so many milliseconds. */
const MILLIS_PER_MEMBER = 50;
/** Who was not heard for so many times as long as it says something is silent. */
const SILENCE = 4;
/** So many views may share a number. */
const MAX_USED = 32;
/** Numbers and times above this are not taken: then counting goes on exactly, whatever a member says. */
const MAX_NUMBER = 2 ** 52;

const UTF8 = new TextEncoder();

export function initialRoll(me: RingMember, sayMillis: number): RollState {
  return {
    me,
    sayMillis,
    connected: false,
    synced: false,
    entries: new Map(),
    overlay: new Map(),
    latest: 0,
    echoSaidAt: null,
    heardAt: new Map(),
    unheard: new Set(),
    silent: new Set(),
    view: null,
    used: [],
    installAt: null,
    sayAt: 0,
  };
}

export function stepRoll(before: RollState, now: number, input: RollInput): RollStep {
  const work = new Work(before, now);
  work.take(input);
  work.decide();
  return { state: work.state, effects: work.effects, wakeAt: work.wakeAt() };
}

/** The name of a set of members (P2): half of a SHA-256 over them, as hexadecimal digits. */
export function nameOf(members: readonly RingMember[]): string {
  const text = [...members].sort(compareMembers).map(({ id, incarnation }) => `${id}\0${incarnation}\0`);
  const hash = sha256(UTF8.encode(text.join(""))).subarray(0, 16);
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

class Work {
  state: RollState;
  readonly effects: RollEffect[] = [];
  private readonly now: number;

  constructor(state: RollState, now: number) {
    this.state = state;
    this.now = now;
  }

  take(input: RollInput): void {
    switch (input.type) {
      case "connected":
        return this.set({ connected: true });
      case "disconnected":
        return this.set({ connected: false, synced: false, installAt: null });
      case "syncStarted":
        return this.set({ synced: false, overlay: new Map(), installAt: null });
      case "syncComplete":
        return this.completeSync(input.entries);
      case "present":
        this.see(input.entry.since);
        return this.note(input.entry.key, input.entry);
      case "gone":
        this.see(input.since);
        return this.note(input.key, null);
      case "heard":
        return this.heard(input);
      case "tick":
        return;
      default:
        return unreachable(input);
    }
  }

  decide(): void {
    const { connected, synced, me, view } = this.state;
    if (!connected || !synced) return;
    const present = this.present();
    this.watch(present);
    if (view === null && !present.some((member) => sameMember(member, me))) return;
    const members = present.filter((member) => !this.state.silent.has(nameIn(member)));
    const creator = nameOf(members);
    if (members.length === 0 || creator === view?.id.creator) this.set({ installAt: null });
    else {
      if (this.state.installAt === null) this.set({ installAt: this.now + SETTLE_MILLIS });
      if ((this.state.installAt ?? Infinity) <= this.now && this.mayInstall()) this.install(members, creator);
    }
    this.say();
  }

  wakeAt(): number | null {
    const { connected, synced, installAt, heardAt, silent, me, view } = this.state;
    if (!connected || !synced) return null;
    const times: number[] = [];
    // What is overdue waits for this member's own echo, and not for a time.
    if (installAt !== null && installAt > this.now) times.push(installAt);
    if (view !== null && hasMember(view, me)) times.push(this.state.sayAt);
    const patience = SILENCE * this.period();
    for (const [key, at] of heardAt) {
      if (key !== nameIn(me) && !silent.has(key)) times.push(at + patience);
    }
    return times.length === 0 ? null : Math.max(this.now, Math.min(...times));
  }

  // -- who is there

  private completeSync(snapshot: readonly Entry[]): void {
    const entries = new Map(snapshot.map((entry) => [entry.key, entry]));
    for (const [key, entry] of this.state.overlay) {
      if (entry === null) entries.delete(key);
      else entries.set(key, entry);
    }
    for (const { since } of entries.values()) this.see(since);
    // Nobody could be heard while this member was away, and no echo says that it hears now.
    this.set({ entries, overlay: new Map(), synced: true, echoSaidAt: null, heardAt: new Map(), silent: new Set() });
    const others = this.present().filter((member) => !sameMember(member, this.state.me));
    this.set({ unheard: new Set(others.map(nameIn)) });
  }

  private note(key: string, entry: Entry | null): void {
    const name = this.state.synced ? "entries" : "overlay";
    const known: Map<string, Entry | null> = new Map(this.state[name]);
    if (entry === null && name === "entries") known.delete(key);
    else known.set(key, entry);
    this.set({ [name]: known });
  }

  private present(): RingMember[] {
    const members = new Map<string, RingMember>();
    for (const { member } of this.state.entries.values()) if (member !== null) members.set(nameIn(member), member);
    return [...members.values()];
  }

  /** P5: who is silent is left out, until it is heard again. */
  private watch(present: readonly RingMember[]): void {
    const { me } = this.state;
    const heardAt = new Map(
      present.map((member) => [nameIn(member), this.state.heardAt.get(nameIn(member)) ?? this.now]),
    );
    const silent = new Set([...this.state.silent].filter((key) => heardAt.has(key)));
    const patience = SILENCE * this.period();
    for (const [key, at] of heardAt) {
      if (key !== nameIn(me) && this.now - at >= patience) silent.add(key);
    }
    this.set({ heardAt, silent });
  }

  private heard({ from, view, silent: said, at }: Extract<RollInput, { type: "heard" }>): void {
    if (!this.state.connected || !this.state.synced) return;
    if (sameMember(from, this.state.me) && at !== null && at <= this.now) this.set({ echoSaidAt: at });
    const key = nameIn(from);
    if (this.state.heardAt.has(key)) {
      const [silent, unheard] = [new Set(this.state.silent), new Set(this.state.unheard)];
      silent.delete(key);
      unheard.delete(key);
      // Whoever comes later has not been here long enough to judge.
      for (const other of unheard) if (said.includes(incarnationIn(other))) silent.add(other);
      this.set({ heardAt: new Map(this.state.heardAt).set(key, this.now), silent, unheard });
    }
    const mine = this.state.view;
    if (mine === null || view === null || view.creator !== mine.id.creator) return;
    if (view.number > mine.id.number && view.number <= MAX_NUMBER) {
      this.adopt({ id: view, members: mine.members });
    } else if (view.number < mine.id.number && this.isBefore(mine, from)) this.set({ sayAt: this.now });
  }

  // -- views

  /** P2, P3: a number that is not below any before, and an id that this member has not had yet. */
  private install(members: readonly RingMember[], creator: string): void {
    const { view, latest } = this.state;
    const last = view?.id.number ?? 0;
    const number = Math.max(1, last, latest);
    const used = number > last ? [] : this.state.used;
    if (used.includes(creator) || used.length === MAX_USED) {
      return this.adopt({ id: { number: number + 1, creator }, members });
    }
    this.use({ id: { number, creator }, members }, [...used, creator]);
  }

  private adopt(view: RingView): void {
    this.use(view, [view.id.creator]);
  }

  private use(given: RingView, used: readonly string[]): void {
    const view = inRingOrder(given);
    this.set({ view, used, installAt: null, sayAt: this.now });
    this.effects.push({ type: "install", view });
  }

  /** P4. */
  private say(): void {
    const { view, me, sayAt } = this.state;
    if (view === null || !hasMember(view, me) || sayAt > this.now) return;
    this.set({ sayAt: this.now + this.period() });
    const silent = this.hearsItself() ? [...this.state.silent].map(incarnationIn) : [];
    this.effects.push({ type: "say", view: view.id, silent, at: this.now });
  }

  /** P5: who is taken for silent may have spoken since. Without a view that it is in, a member says nothing to be heard by itself. */
  private mayInstall(): boolean {
    const { silent, view, me } = this.state;
    return silent.size === 0 || view === null || !hasMember(view, me) || this.hearsItself();
  }

  /** A channel has one order: before an echo comes, all has come that was said before this member said that. */
  private hearsItself(): boolean {
    return this.now - (this.state.echoSaidAt ?? -Infinity) < (SILENCE / 2) * this.period();
  }

  private isBefore(view: RingView, from: RingMember): boolean {
    const place = view.members.findIndex((member) => sameMember(member, from));
    const after = view.members[(place + 1) % view.members.length];
    return place >= 0 && after !== undefined && sameMember(after, this.state.me) && !sameMember(from, after);
  }

  /** P4. Who is present and takes no part says nothing, and slows nobody down. */
  private period(): number {
    let entries = 0;
    for (const { member } of this.state.entries.values()) if (member !== null) entries++;
    return Math.max(this.state.sayMillis, MILLIS_PER_MEMBER * entries);
  }

  private see(since: number): void {
    if (Number.isSafeInteger(since) && since <= MAX_NUMBER) this.set({ latest: Math.max(this.state.latest, since) });
  }

  private set(change: Partial<RollState>): void {
    this.state = { ...this.state, ...change };
  }
}

function incarnationIn(name: string): string {
  return name.slice(name.indexOf("\0") + 1);
}

function nameIn({ id, incarnation }: RingMember): string {
  return `${id}\0${incarnation}`;
}

function unreachable(input: never): never {
  throw new Error(`unknown input ${JSON.stringify(input)}`);
}
