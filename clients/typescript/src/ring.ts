/**
 * The ring machine: decides from views and from messages that go round a ring who leads, as a pure step `(state, input)
 * -> state and effects`. It has no clock, timer, randomness or I/O; each input carries the time. The rules R1 to R12, H1 to H3 stand
 * in docs/spec/ring.md, and docs/spec/vectors/ring holds transcripts that the machine in Java and this one reproduce.
 * Here is AP mode with the algorithm of Chang and Roberts, the default; Peterson's is only in Java.
 *
 * Each side of a partition has a leader. On each, one wins a (view, round) at most, and terms only rise.
 *
 * The file is longer than most because the machine is one step: cutting it up would hide the order of the rules.
 */
import type { Moment } from "./ranking.js";
import {
  compareRingKeys,
  compareTerms,
  laterTerm,
  type Elect,
  type Key,
  type Lap,
  type Nack,
  type RingMessage,
  type RingTerm,
  type RoundMessage,
  type Yield,
} from "./ring-message.js";
import {
  hasMember,
  inRingOrder,
  sameMember,
  sameView,
  type RingMember,
  type RingView,
  type ViewId,
} from "./ring-view.js";

/** Why a leadership ended. */
export type RingLoss =
  "resigned" | "paused" | "unhealthy" | "closed" | "expired" | "suspended" | "superseded" | "transferred";

/** Times in milliseconds; `ringSettings` makes and checks them. */
export interface RingSettings {
  /** 0 to 100; the higher is preferred when nobody leads. */
  readonly priority: number;
  /** False for an observer, which passes messages on and never leads. */
  readonly candidate: boolean;
  /** How long a follower waits without a sign of its leader before it opens a round. */
  readonly followMillis: number;
  /** How long a leader leads after the *sending* of its last confirmed lap. */
  readonly leadMillis: number;
  readonly beatMillis: number;
  readonly retryMillis: number;
  /** How long a message of a view that may come is kept. */
  readonly keepMillis: number;
}

export type RingInput =
  | { readonly type: "installed"; readonly view: RingView }
  | { readonly type: "received"; readonly from: RingMember; readonly message: RingMessage }
  | { readonly type: "woken" }
  | { readonly type: "resign"; readonly cooldownMillis: number }
  | { readonly type: "handOver"; readonly heir: string; readonly cooldownMillis: number }
  | { readonly type: "stand" }
  | { readonly type: "standBack"; readonly cause: RingLoss }
  | { readonly type: "leave" };

/** Why a message was dropped (R11). */
export type Why = "not_from_predecessor" | "past" | "repeated" | "not_kept" | "other_algorithm";

/** Why a hand-over failed (H3): there is no such member, another was elected, or nobody was in time. */
export type Obstacle = "not_there" | "another_elected" | "no_answer";

export type RingEffect =
  | { readonly type: "send"; readonly to: RingMember; readonly message: RingMessage }
  | { readonly type: "lead"; readonly term: RingTerm }
  | { readonly type: "stepDown"; readonly term: RingTerm; readonly cause: RingLoss }
  | { readonly type: "jeopardy"; readonly term: RingTerm; readonly remainingMillis: number }
  | { readonly type: "recovered"; readonly term: RingTerm }
  | { readonly type: "leader"; readonly term: RingTerm | null }
  | { readonly type: "handOverFailed"; readonly heir: string; readonly why: Obstacle }
  | { readonly type: "dropped"; readonly from: RingMember; readonly message: RingMessage; readonly why: Why };

interface Seat {
  readonly view: RingView;
  readonly before: RingMember;
  readonly after: RingMember;
}

/** One member's part in one round. */
interface Ballot {
  readonly round: number;
  readonly mine: Key;
  /** Before the own key was sent for the first time. */
  readonly began: Moment;
  readonly decided: boolean;
  readonly giveUpAt: number;
  /** The greatest key that was seen or sent, and the latest attempt of it. */
  readonly best: Key | null;
  readonly bestAttempt: number;
  /** How often the own key was sent, and when last. */
  readonly attempts: number;
  readonly sentAt: Moment;
  readonly retryAt: number;
}

interface Reign {
  readonly term: RingTerm;
  /** When the last lap that came home was sent. */
  readonly confirmedAt: Moment;
  readonly sequence: number;
  /** Laps that have not come back, the oldest first. */
  readonly laps: readonly { readonly sequence: number; readonly sentAt: Moment }[];
  readonly beatAt: number;
  readonly doubted: boolean;
}

interface Held {
  readonly from: RingMember;
  readonly message: RoundMessage;
  readonly until: number;
}

export interface RingState {
  readonly settings: RingSettings;
  readonly me: RingMember;
  readonly seat: Seat | null;
  readonly joined: number;
  readonly past: readonly ViewId[];
  readonly held: readonly Held[];
  readonly ballot: Ballot | null;
  readonly reign: Reign | null;
  /** A leadership that was handed over, and whose heir does not lead yet. */
  readonly bequest: { readonly heir: string; readonly until: number } | null;
  readonly seen: RingTerm | null;
  /** The last leader that was heard; whether it is still taken for one. */
  readonly heard: {
    readonly term: RingTerm | null;
    readonly sequence: number;
    readonly named: boolean;
    readonly until: number;
  };
  readonly vainRounds: number;
  readonly willing: boolean;
  readonly abstains: boolean;
  readonly standsAt: number;
  readonly gone: boolean;
}

export interface RingStep {
  readonly state: RingState;
  readonly effects: readonly RingEffect[];
  /** When a `woken` is owed; null if nothing is waiting. */
  readonly wakeAt: number | null;
}

/** A round is given up after follow, doubled with each vain one, but no more than so often. */
const MAX_DOUBLINGS = 3;
/** So many messages of views that may come are kept. */
const MAX_HELD = 256;
/** So many views of the past are known by name; older ones by their number. */
const MAX_PAST = 32;
/** More laps than this are not waited for. */
const MAX_LAPS = 16;

/** Before anything happened: no view, no leader. */
export function initialRing(settings: RingSettings, me: RingMember): RingState {
  return {
    settings,
    me,
    seat: null,
    joined: 0,
    past: [],
    held: [],
    ballot: null,
    reign: null,
    bequest: null,
    seen: null,
    heard: { term: null, sequence: 0, named: false, until: 0 },
    vainRounds: 0,
    willing: true,
    abstains: false,
    standsAt: 0,
    gone: false,
  };
}

/** One step. The caller carries the effects out in their order. */
export function stepRing(before: RingState, at: Moment, input: RingInput): RingStep {
  const work = new Work(before, at);
  if (!before.gone) {
    work.enforceDeadline();
    work.take(input);
  }
  return { state: work.state, effects: work.effects, wakeAt: work.wakeAt() };
}

/** For how long this member may still count on leading; 0 if it does not. To be asked before each act (R8). */
export function ringRemainingMillis(state: RingState, at: Moment): number {
  return state.reign === null ? 0 : remaining(state.settings, state.reign, at);
}

/** The term of the leader as this member knows it, or null. */
export function ringLeader(state: RingState): RingTerm | null {
  return state.heard.named ? state.heard.term : null;
}

/** Whether it would lead, as far as it is asked. */
export function ringStands(state: RingState, now: number): boolean {
  return state.willing && !(state.abstains && state.standsAt > now);
}

function remaining(settings: RingSettings, reign: Reign, at: Moment): number {
  const monotonic = settings.leadMillis - (at.now - reign.confirmedAt.now);
  const wall = settings.leadMillis - (at.wall - reign.confirmedAt.wall);
  return Math.max(0, Math.min(monotonic, wall));
}

function doubled(base: number, times: number, most: number): number {
  return times >= 30 ? most : Math.min(most, base * 2 ** times);
}

function isOutdone(ballot: Ballot): boolean {
  return ballot.best !== null && compareRingKeys(ballot.best, ballot.mine) > 0;
}

/** The draft of one step: it lives no longer than that, so that from outside the machine stays a function. */
class Work {
  state: RingState;
  readonly effects: RingEffect[] = [];
  private readonly at: Moment;

  constructor(state: RingState, at: Moment) {
    this.state = state;
    this.at = at;
  }

  /** R7, R8: before anything else is done, a leader whose time is up has stopped. */
  enforceDeadline(): void {
    const { reign, settings } = this.state;
    if (reign === null || remaining(settings, reign, this.at) > 0) return;
    const suspended = this.at.now - reign.confirmedAt.now < settings.leadMillis;
    this.stepDown(suspended ? "suspended" : "expired");
    this.openNext();
  }

  take(input: RingInput): void {
    switch (input.type) {
      case "installed":
        return this.installed(input.view);
      case "received":
        return this.received(input.from, input.message);
      case "woken":
        this.forgetOld();
        this.wakeRounds();
        this.awaitHeir();
        this.doubt();
        return this.beat();
      case "resign":
        this.set({ abstains: true, standsAt: this.at.now + input.cooldownMillis });
        return this.stopAndOpen("resigned");
      case "handOver":
        return this.handOver(input.heir, input.cooldownMillis);
      case "stand":
        this.set({ willing: true });
        return this.openIfNobodyLeads();
      case "standBack":
        this.set({ willing: false });
        return this.stopAndOpen(input.cause);
      case "leave":
        this.stepDown("closed");
        this.tellNobody();
        return this.set({ seat: null, ballot: null, bequest: null, held: [], gone: true });
      default:
        return unreachable(input);
    }
  }

  /** The next moment at which time alone changes anything. */
  wakeAt(): number | null {
    const { held, reign, heard, ballot, bequest, settings } = this.state;
    const times = held.map((message) => message.until);
    if (reign !== null) {
      times.push(this.at.now + remaining(settings, reign, this.at));
      if (!reign.doubted) times.push(this.doubtAt(reign));
      if (this.beats()) times.push(reign.beatAt);
    } else if (heard.named) times.push(heard.until);
    if (bequest !== null) times.push(bequest.until);
    if (ballot !== null) {
      if (reign === null) times.push(ballot.giveUpAt);
      if (this.state.abstains && this.state.willing && settings.candidate) times.push(this.state.standsAt);
      if (this.retries(ballot)) times.push(ballot.retryAt);
    }
    return times.length === 0 ? null : Math.max(this.at.now, Math.min(...times));
  }

  // -- views, R2 and R3

  private installed(given: RingView): void {
    const { seat: left, past, me } = this.state;
    if ([...past, ...(left === null ? [] : [left.view.id])].some((id) => sameView(id, given.id))) return;
    if (left !== null) this.remember(left.view.id);
    if (!hasMember(given, me)) {
      this.remember(given.id);
      this.set({ seat: null, ballot: null });
      this.stepDown("superseded");
      return this.tellNobody();
    }
    const view = inRingOrder(given);
    const leader = this.state.heard.term?.creator;
    this.set({ seat: seatOf(view, me), joined: this.state.joined || view.id.number, vainRounds: 0 });
    if (leader !== undefined && !hasMember(view, leader)) this.tellNobody();
    this.enter(0);
    // Before the own key is sent: it need not be, if a greater one is waiting already.
    for (const held of this.state.held) {
      if (!sameView(held.message.view, view.id)) continue;
      this.set({ held: this.state.held.filter((each) => each !== held) });
      this.received(held.from, held.message);
    }
    this.begin();
  }

  private received(from: RingMember, message: RingMessage): void {
    const { seat, seen } = this.state;
    if (message.kind === "nack") return this.nacked(from, message);
    if (message.kind === "yield") return this.yielded(from, message);
    if (seat !== null && sameView(message.view, seat.view.id)) {
      if (!sameMember(from, seat.before)) return this.drop(from, message, "not_from_predecessor");
      return this.receivedInView(seat, from, message);
    }
    if (this.isPast(message.view)) {
      if (seat !== null) this.send(from, { kind: "nack", view: seat.view.id, term: seen });
      return this.drop(from, message, "past");
    }
    const [oldest, ...others] = this.state.held;
    const full = oldest !== undefined && others.length + 1 === MAX_HELD;
    if (full) this.drop(oldest.from, oldest.message, "not_kept");
    const held = full ? others : this.state.held;
    this.set({ held: [...held, { from, message, until: this.at.now + this.state.settings.keepMillis }] });
  }

  /** Drops what was kept for a view that did not come. */
  private forgetOld(): void {
    const old = this.state.held.filter((held) => held.until <= this.at.now);
    if (old.length === 0) return;
    this.set({ held: this.state.held.filter((held) => held.until > this.at.now) });
    for (const { from, message } of old) this.drop(from, message, "not_kept");
  }

  private isPast(view: ViewId): boolean {
    const { past, seat } = this.state;
    return past.some((id) => sameView(id, view)) || (seat !== null && view.number < seat.view.id.number);
  }

  private remember(view: ViewId): void {
    this.set({ past: [...this.state.past.slice(1 - MAX_PAST), view] });
  }

  // -- rounds, R2, R5, R7, R10 and R12

  /** Takes part in a round, with a key that stays what it is now, and says nothing yet. */
  private enter(round: number, incumbent: RingTerm | null = this.state.reign?.term ?? null): void {
    const { settings, joined, me, vainRounds } = this.state;
    const { followMillis, priority } = settings;
    const mine = { stands: this.stands(), incumbent, priority, joined, member: me };
    const patience = doubled(followMillis, vainRounds, followMillis * 2 ** MAX_DOUBLINGS);
    const race = { best: null, bestAttempt: 0, attempts: 0, sentAt: this.at, retryAt: 0 };
    this.set({
      ballot: { round, mine, began: this.at, decided: false, giveUpAt: this.at.now + patience, ...race },
    });
  }

  /** Sends the own key, if there is a reason to. Who is alone has won. */
  private begin(): void {
    const { ballot, seat } = this.state;
    if (ballot === null || seat === null || ballot.decided) return;
    if (this.isAlone(seat)) return this.win(this.at, this.state.seen);
    if (ballot.attempts === 0 && !isOutdone(ballot)) this.sendKey(ballot);
  }

  private openNext(): void {
    const { ballot } = this.state;
    if (ballot === null) return;
    this.enter(ballot.round + 1);
    this.begin();
  }

  private openIfNobodyLeads(): void {
    const { ballot, reign, heard } = this.state;
    const takesPart = ballot !== null && !ballot.decided && ballot.mine.stands;
    if (reign === null && !heard.named && this.stands() && !takesPart) this.openNext();
  }

  private receivedInView(seat: Seat, from: RingMember, message: RoundMessage): void {
    const round = this.state.ballot?.round;
    if (round === undefined || message.round < round) return this.drop(from, message, "past");
    if (message.round > round) this.enter(message.round);
    switch (message.kind) {
      case "elected":
      case "beat":
        return this.receivedLap(seat, from, message);
      case "elect":
        return this.receivedKey(from, message);
      default:
        return this.drop(from, message, "other_algorithm");
    }
  }

  private wakeRounds(): void {
    const { reign, heard, abstains, standsAt } = this.state;
    if (reign === null && heard.named && heard.until <= this.at.now) this.tellNobody();
    if (abstains && standsAt <= this.at.now) {
      this.set({ abstains: false });
      this.openIfNobodyLeads();
    }
    if (this.state.reign === null && this.state.ballot !== null && this.state.ballot.giveUpAt <= this.at.now) {
      this.set({ vainRounds: Math.min(this.state.vainRounds + 1, MAX_DOUBLINGS) });
      this.openNext();
    }
    const { ballot } = this.state;
    if (ballot !== null && this.retries(ballot) && ballot.retryAt <= this.at.now) this.sendKey(ballot);
  }

  // -- the contest of Chang and Roberts, R4 and R5

  private receivedKey(from: RingMember, elect: Elect): void {
    const { ballot, me } = this.state;
    if (ballot === null) return;
    if (sameMember(elect.key.member, me)) {
      if (ballot.decided || compareRingKeys(elect.key, ballot.mine) !== 0) return this.drop(from, elect, "repeated");
      // Of an earlier attempt it is not known any more when it was sent, but it was not before the round.
      return this.win(elect.attempt === ballot.attempts ? ballot.sentAt : ballot.began, elect.seen);
    }
    if (compareRingKeys(elect.key, ballot.mine) > 0) return this.pass(from, elect, ballot);
    if (!ballot.decided && ballot.attempts === 0 && !isOutdone(ballot)) this.sendKey(ballot);
  }

  /** R9: before a greater key goes on its way, a leader here has stopped. */
  private pass(from: RingMember, elect: Elect, ballot: Ballot): void {
    const { best, bestAttempt } = ballot;
    this.stepDown("superseded");
    const order = best === null ? -1 : compareRingKeys(best, elect.key);
    if (order > 0) return;
    if (order === 0 && elect.attempt <= bestAttempt) return this.drop(from, elect, "repeated");
    this.set({ ballot: { ...ballot, best: elect.key, bestAttempt: elect.attempt } });
    this.sendOn({ ...elect, seen: laterTerm(elect.seen, this.state.seen) });
  }

  private retries(ballot: Ballot): boolean {
    return !ballot.decided && ballot.attempts > 0 && !isOutdone(ballot);
  }

  private sendKey(ballot: Ballot): void {
    const { seat, seen, settings } = this.state;
    if (seat === null) return;
    const attempt = ballot.attempts + 1;
    const retryAt = this.at.now + doubled(settings.retryMillis, attempt - 1, settings.followMillis);
    const sent = { best: ballot.mine, bestAttempt: attempt, attempts: attempt, sentAt: this.at, retryAt };
    this.set({ ballot: { ...ballot, ...sent } });
    this.sendOn({ kind: "elect", view: seat.view.id, round: ballot.round, key: ballot.mine, attempt, seen });
  }

  // -- a leader and its laps, R6 to R9

  private win(sentAt: Moment, circle: RingTerm | null): void {
    const { ballot, settings, me } = this.state;
    if (ballot === null) return;
    if (!ballot.mine.stands) return this.set({ ballot: { ...ballot, decided: true } });
    // It stood when the round began. The next one is without it.
    if (!this.state.willing) return this.openNext();
    const fresh = { confirmedAt: sentAt, sequence: 0, laps: [], beatAt: 0, doubted: false };
    if (remaining(settings, { term: { counter: 1, creator: me }, ...fresh }, this.at) <= 0) return;
    this.set({ ballot: { ...ballot, decided: true }, vainRounds: 0 });
    this.learn(circle);
    let { reign } = this.state;
    if (reign !== null && compareTerms(reign.term, this.state.seen) >= 0) {
      this.recover(reign);
      const later = sentAt.now > reign.confirmedAt.now ? sentAt : reign.confirmedAt;
      reign = { ...reign, confirmedAt: later, laps: [], doubted: false };
    } else {
      this.stepDown("superseded");
      const term = { counter: (this.state.seen?.counter ?? 0) + 1, creator: me };
      this.learn(term);
      reign = { term, ...fresh };
      this.effects.push({ type: "lead", term });
    }
    this.set({ reign });
    this.lap(reign, "elected");
    this.hear(reign.term, this.state.reign?.sequence ?? 0);
  }

  private beat(): void {
    const { reign } = this.state;
    if (reign !== null && this.beats() && reign.beatAt <= this.at.now) this.lap(reign, "beat");
  }

  /** While a round is open, its contest speaks for the leader. */
  private beats(): boolean {
    return this.state.ballot !== null && this.state.ballot.decided;
  }

  private doubtAt(reign: Reign): number {
    return reign.confirmedAt.now + this.state.settings.leadMillis / 2;
  }

  private doubt(): void {
    const { reign, settings } = this.state;
    if (reign === null || reign.doubted || this.doubtAt(reign) > this.at.now) return;
    this.set({ reign: { ...reign, doubted: true } });
    const remainingMillis = remaining(settings, reign, this.at);
    this.effects.push({ type: "jeopardy", term: reign.term, remainingMillis });
  }

  private recover(before: Reign): void {
    if (before.doubted) this.effects.push({ type: "recovered", term: before.term });
  }

  private lap(reign: Reign, kind: "elected" | "beat"): void {
    const { ballot, seat, settings } = this.state;
    if (ballot === null || seat === null) return;
    const sequence = reign.sequence + 1;
    const beatAt = this.at.now + settings.beatMillis;
    if (this.isAlone(seat)) {
      this.recover(reign);
      return this.set({ reign: { ...reign, sequence, beatAt, confirmedAt: this.at, laps: [], doubted: false } });
    }
    const laps = [...reign.laps.slice(1 - MAX_LAPS), { sequence, sentAt: this.at }];
    this.set({ reign: { ...reign, sequence, beatAt, laps } });
    this.sendOn({ kind, view: seat.view.id, round: ballot.round, term: reign.term, sequence });
  }

  private receivedLap(seat: Seat, from: RingMember, lap: Lap): void {
    const { me, reign, seen, heard } = this.state;
    if (sameMember(lap.term.creator, me)) return this.lapHome(from, lap, reign);
    if (compareTerms(lap.term, seen) < 0) {
      if (hasMember(seat.view, lap.term.creator)) {
        this.send(lap.term.creator, { kind: "nack", view: seat.view.id, term: seen });
      }
      return this.drop(from, lap, "past");
    }
    if (compareTerms(lap.term, heard.term) === 0 && lap.sequence <= heard.sequence) {
      return this.drop(from, lap, "repeated");
    }
    this.stepDown("superseded");
    this.learn(lap.term);
    this.hear(lap.term, lap.sequence);
    const { ballot } = this.state;
    this.set({
      vainRounds: 0,
      ballot: ballot === null ? null : { ...ballot, decided: true, giveUpAt: this.state.heard.until },
    });
    this.sendOn(lap);
  }

  private lapHome(from: RingMember, lap: Lap, reign: Reign | null): void {
    if (reign === null || compareTerms(reign.term, lap.term) !== 0) return this.drop(from, lap, "past");
    const home = reign.laps.find((each) => each.sequence === lap.sequence);
    // One that is not waited for any more confirms nothing.
    if (home === undefined) return;
    this.recover(reign);
    const laps = reign.laps.filter((each) => each.sequence > lap.sequence);
    this.set({ reign: { ...reign, confirmedAt: home.sentAt, laps, doubted: false } });
  }

  private nacked(from: RingMember, nack: Nack): void {
    const { seat, reign } = this.state;
    if (seat === null || !hasMember(seat.view, from)) return this.drop(from, nack, "not_from_predecessor");
    this.learn(nack.term);
    if (reign === null || compareTerms(nack.term, reign.term) <= 0) return;
    this.stepDown("superseded");
    if (sameView(nack.view, seat.view.id)) this.openNext();
  }

  // -- handing over, H1 to H3

  private handOver(heirId: string, cooldownMillis: number): void {
    const { reign, seat, ballot, settings, me } = this.state;
    if (reign === null || seat === null || ballot === null) return;
    this.set({ abstains: true, standsAt: this.at.now + cooldownMillis });
    const heir = seat.view.members.find((member) => member.id === heirId && !sameMember(member, me));
    this.stepDown("transferred");
    if (heir === undefined) {
      this.effects.push({ type: "handOverFailed", heir: heirId, why: "not_there" });
      return this.openNext();
    }
    this.send(heir, { kind: "yield", view: seat.view.id, round: ballot.round, term: reign.term, heir: true });
    this.set({ bequest: { heir: heirId, until: this.at.now + 2 * settings.retryMillis } });
  }

  /** The leader of a term has stopped. */
  private yielded(from: RingMember, word: Yield): void {
    if (!sameMember(from, word.term.creator)) return this.drop(from, word, "not_from_predecessor");
    if (compareTerms(this.state.heard.term, word.term) === 0) this.tellNobody();
    if (word.heir) this.inherit(from, word);
  }

  /** The next round is opened with a key that has the term of the one before: all others are lesser. */
  private inherit(from: RingMember, word: Yield): void {
    const { seat, ballot, reign, seen } = this.state;
    const isPast = seat === null || ballot === null || !sameView(word.view, seat.view.id) || reign !== null;
    if (isPast || compareTerms(word.term, seen) < 0) return this.drop(from, word, "past");
    this.learn(word.term);
    // Who is named need not stand aside any more, as after a resignation of its own.
    this.set({ abstains: false });
    this.enter(Math.max(ballot.round, word.round) + 1, this.stands() ? word.term : null);
    this.begin();
  }

  /** Another leads: the heir, or who was not meant. */
  private succeeded(leader: RingMember): void {
    const { bequest } = this.state;
    if (bequest === null) return;
    this.set({ bequest: null });
    if (leader.id !== bequest.heir) {
      this.effects.push({ type: "handOverFailed", heir: bequest.heir, why: "another_elected" });
    }
  }

  private awaitHeir(): void {
    const { bequest } = this.state;
    if (bequest === null || bequest.until > this.at.now) return;
    this.set({ bequest: null });
    this.effects.push({ type: "handOverFailed", heir: bequest.heir, why: "no_answer" });
    const { reign, heard, ballot } = this.state;
    if (reign === null && !heard.named && ballot !== null && ballot.decided) this.openNext();
  }

  // -- small steps

  private stopAndOpen(cause: RingLoss): void {
    if (this.state.reign === null) return;
    this.stepDown(cause);
    this.openNext();
  }

  private stepDown(cause: RingLoss): void {
    const { reign } = this.state;
    if (reign === null) return;
    this.set({ reign: null });
    this.effects.push({ type: "stepDown", term: reign.term, cause });
    this.tellNobody();
  }

  private tellNobody(): void {
    if (!this.state.heard.named) return;
    this.set({ heard: { ...this.state.heard, named: false } });
    this.effects.push({ type: "leader", term: null });
  }

  private hear(term: RingTerm, sequence: number): void {
    const { heard, settings } = this.state;
    const news = !heard.named || compareTerms(heard.term, term) !== 0;
    this.set({ heard: { term, sequence, named: true, until: this.at.now + settings.followMillis } });
    this.succeeded(term.creator);
    if (news) this.effects.push({ type: "leader", term });
  }

  private stands(): boolean {
    return this.state.settings.candidate && ringStands(this.state, this.at.now);
  }

  private isAlone(seat: Seat): boolean {
    return sameMember(seat.after, this.state.me);
  }

  private learn(term: RingTerm | null): void {
    this.set({ seen: laterTerm(this.state.seen, term) });
  }

  private send(to: RingMember, message: RingMessage): void {
    this.effects.push({ type: "send", to, message });
  }

  private sendOn(message: RingMessage): void {
    if (this.state.seat !== null) this.send(this.state.seat.after, message);
  }

  private drop(from: RingMember, message: RingMessage, why: Why): void {
    this.effects.push({ type: "dropped", from, message, why });
  }

  private set(change: Partial<RingState>): void {
    this.state = { ...this.state, ...change };
  }
}

function seatOf(view: RingView, me: RingMember): Seat {
  const { members } = view;
  const place = members.findIndex((each) => sameMember(each, me));
  const before = members[(place + members.length - 1) % members.length] ?? me;
  return { view, before, after: members[(place + 1) % members.length] ?? me };
}

function unreachable(input: never): never {
  throw new Error(`unknown input ${JSON.stringify(input)}`);
}
