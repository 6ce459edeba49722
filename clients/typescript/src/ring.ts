/**
 * The ring machine: decides from views and from messages that go round a ring who leads, as a pure step `(state, input)
 * -> state and effects`. It has no clock, timer, randomness or I/O; each input carries the time. The rules R1 to R12, H1 to H3 stand
 * in docs/spec/ring.md, and docs/spec/vectors/ring holds transcripts that the machine in Java and this one reproduce. Here is AP mode.
 *
 * Each side of a partition has a leader. On each, one wins a (view, round) at most, and terms only rise.
 *
 * Which file has which rule:
 *
 *     R1           who sits where                   ring-view.ts
 *     R2, R3, R10  views and rounds                 here
 *     R4, R5       finding the greatest key         chang-roberts.ts, peterson.ts
 *     R6 to R9     a leader and its laps            ring-laps.ts
 *     R12, H1-H3   standing back, handing over      here
 */
import { ChangRoberts } from "./chang-roberts.js";
import { Peterson } from "./peterson.js";
import type { Moment } from "./moment.js";
import { RingLaps } from "./ring-laps.js";
import { compareTerms, type RingMessage, type RingTerm, type RoundMessage, type Yield } from "./ring-message.js";
import type { RingInput, RingLoss, RingState, RingStep, Seat } from "./ring-state.js";
import { ringRemainingMillis } from "./ring-state.js";
import { doubled, RingTurn, type Algorithm } from "./ring-turn.js";
import {
  hasMember,
  inRingOrder,
  sameMember,
  sameView,
  type RingMember,
  type RingView,
  type ViewId,
} from "./ring-view.js";

/** A round is given up after follow, doubled with each vain one, but no more than so often. */
const MAX_DOUBLINGS = 3;
/** So many messages of views that may come are kept. */
const MAX_HELD = 256;
/** So many views of the past are known by name; older ones by their number. */
const MAX_PAST = 32;

/** One step. The caller carries the effects out in their order. */
export function stepRing(before: RingState, at: Moment, input: RingInput): RingStep {
  const turn = new RingTurn(before, at);
  const rules = new Rules(turn);
  if (!before.gone) rules.take(input);
  return { state: turn.state, effects: turn.effects, wakeAt: rules.wakeAt() };
}

/** Takes an input to the rules that decide it, for one step. */
class Rules {
  private readonly turn: RingTurn;
  private readonly laps: RingLaps;
  private readonly algorithm: Algorithm;

  constructor(turn: RingTurn) {
    this.turn = turn;
    this.laps = new RingLaps(turn, () => this.openNext());
    const isPeterson = turn.state.settings.algorithm === "peterson";
    this.algorithm = isPeterson ? new Peterson(turn, this.laps) : new ChangRoberts(turn, this.laps);
  }

  take(input: RingInput): void {
    const { turn, laps } = this;
    laps.enforceDeadline();
    switch (input.type) {
      case "installed":
        return this.installed(input.view);
      case "received":
        return this.received(input.from, input.message);
      case "woken":
        this.forgetOld();
        this.wakeRounds();
        this.awaitHeir();
        laps.doubt();
        return laps.beat();
      case "resign":
        turn.set({ abstains: true, standsAt: turn.at.now + input.cooldownMillis });
        return this.stopAndOpen("resigned");
      case "handOver":
        return this.handOver(input.heir, input.cooldownMillis);
      case "stand":
        turn.set({ willing: true });
        return this.openIfNobodyLeads();
      case "standBack":
        turn.set({ willing: false });
        return this.stopAndOpen(input.cause);
      case "leave":
        laps.stepDown("closed");
        laps.tellNobody();
        return turn.set({ seat: null, ballot: null, bequest: null, held: [], gone: true });
      default:
        return unreachable(input);
    }
  }

  /** The next moment at which time alone changes anything. */
  wakeAt(): number | null {
    const { state, at } = this.turn;
    const { held, reign, heard, ballot, bequest, settings } = state;
    const times = held.map((message) => message.until);
    if (reign !== null) {
      times.push(at.now + ringRemainingMillis(state, at));
      if (!reign.doubted) times.push(this.laps.doubtAt(reign));
      if (this.laps.beats()) times.push(reign.beatAt);
    } else if (heard.named) times.push(heard.until);
    if (bequest !== null) times.push(bequest.until);
    if (ballot !== null) {
      if (reign === null) times.push(ballot.giveUpAt);
      if (state.abstains && state.willing && settings.candidate) times.push(state.standsAt);
      const retryAt = this.algorithm.retryAt(ballot);
      if (retryAt !== null) times.push(retryAt);
    }
    return times.length === 0 ? null : Math.max(at.now, Math.min(...times));
  }

  // -- views, R2 and R3

  private installed(given: RingView): void {
    const { turn, laps } = this;
    const { seat: left, past, me, joined, heard } = turn.state;
    if ([...past, ...(left === null ? [] : [left.view.id])].some((id) => sameView(id, given.id))) return;
    if (left !== null) this.remember(left.view.id);
    if (!hasMember(given, me)) {
      this.remember(given.id);
      turn.set({ seat: null, ballot: null });
      laps.stepDown("superseded");
      return laps.tellNobody();
    }
    const view = inRingOrder(given);
    turn.set({ seat: seatOf(view, me), joined: joined < 0 ? view.id.number : joined, vainRounds: 0 });
    if (heard.term !== null && !hasMember(view, heard.term.creator)) laps.tellNobody();
    this.enter(0);
    // Before the own key is sent: it need not be, if a greater one is waiting already.
    for (const held of turn.state.held) {
      if (!sameView(held.message.view, view.id)) continue;
      turn.set({ held: turn.state.held.filter((each) => each !== held) });
      this.received(held.from, held.message);
    }
    this.begin();
  }

  private received(from: RingMember, message: RingMessage): void {
    const { turn } = this;
    const { seat, seen, settings } = turn.state;
    if (message.kind === "nack") return this.laps.nacked(from, message);
    if (message.kind === "yield") return this.yielded(from, message);
    if (seat !== null && sameView(message.view, seat.view.id)) {
      if (!sameMember(from, seat.before)) return turn.drop(from, message, "not_from_predecessor");
      return this.receivedInView(seat, from, message);
    }
    if (this.isPast(message.view)) {
      if (seat !== null) turn.send(from, { kind: "nack", view: seat.view.id, term: seen });
      return turn.drop(from, message, "past");
    }
    const [oldest, ...others] = turn.state.held;
    const full = oldest !== undefined && others.length + 1 === MAX_HELD;
    if (full) turn.drop(oldest.from, oldest.message, "not_kept");
    const held = full ? others : turn.state.held;
    turn.set({ held: [...held, { from, message, until: turn.at.now + settings.keepMillis }] });
  }

  /** Drops what was kept for a view that did not come. */
  private forgetOld(): void {
    const { state, at } = this.turn;
    const old = state.held.filter((held) => held.until <= at.now);
    if (old.length === 0) return;
    this.turn.set({ held: state.held.filter((held) => held.until > at.now) });
    for (const { from, message } of old) this.turn.drop(from, message, "not_kept");
  }

  private isPast(view: ViewId): boolean {
    const { past, seat } = this.turn.state;
    return past.some((id) => sameView(id, view)) || (seat !== null && view.number < seat.view.id.number);
  }

  private remember(view: ViewId): void {
    this.turn.set({ past: [...this.turn.state.past.slice(1 - MAX_PAST), view] });
  }

  // -- rounds, R2, R5, R7, R10 and R12

  /** Takes part in a round, with a key that stays what it is now, and says nothing yet. */
  private enter(round: number, incumbent: RingTerm | null = this.turn.state.reign?.term ?? null): void {
    const { state, at } = this.turn;
    const { settings, joined, me, vainRounds } = state;
    const { followMillis, priority } = settings;
    const mine = { stands: this.turn.stands(), incumbent, priority, joined, member: me };
    const patience = doubled(followMillis, vainRounds, followMillis * 2 ** MAX_DOUBLINGS);
    const contest = this.algorithm.begin(mine);
    this.turn.set({ ballot: { round, mine, began: at, decided: false, giveUpAt: at.now + patience, contest } });
  }

  /** Sends the own key, if there is a reason to. Who is alone has won. */
  private begin(): void {
    const { ballot, seat, seen } = this.turn.state;
    if (ballot === null || seat === null || ballot.decided) return;
    if (this.turn.isAlone(seat)) this.laps.win(this.turn.at, seen);
    else this.algorithm.enter(seat, ballot);
  }

  private openNext(): void {
    const { ballot } = this.turn.state;
    if (ballot === null) return;
    this.enter(ballot.round + 1);
    this.begin();
  }

  private openIfNobodyLeads(): void {
    const { ballot, reign, heard } = this.turn.state;
    const takesPart = ballot !== null && !ballot.decided && ballot.mine.stands;
    if (reign === null && !heard.named && this.turn.stands() && !takesPart) this.openNext();
  }

  private stopAndOpen(cause: RingLoss): void {
    if (this.turn.state.reign === null) return;
    this.laps.stepDown(cause);
    this.openNext();
  }

  private receivedInView(seat: Seat, from: RingMember, message: RoundMessage): void {
    const { turn } = this;
    const round = turn.state.ballot?.round;
    if (round === undefined || message.round < round) return turn.drop(from, message, "past");
    if (message.round > round) this.enter(message.round);
    const { ballot } = turn.state;
    if (message.kind === "elected" || message.kind === "beat") this.laps.received(seat, from, message);
    else if (ballot !== null) this.algorithm.received(seat, from, message, ballot);
  }

  private wakeRounds(): void {
    const { turn } = this;
    const { now } = turn.at;
    const { reign, heard, abstains, standsAt } = turn.state;
    if (reign === null && heard.named && heard.until <= now) this.laps.tellNobody();
    if (abstains && standsAt <= now) {
      turn.set({ abstains: false });
      this.openIfNobodyLeads();
    }
    if (turn.state.reign === null && turn.state.ballot !== null && turn.state.ballot.giveUpAt <= now) {
      turn.set({ vainRounds: Math.min(turn.state.vainRounds + 1, MAX_DOUBLINGS) });
      this.openNext();
    }
    const { ballot, seat } = turn.state;
    if (ballot === null || seat === null) return;
    if ((this.algorithm.retryAt(ballot) ?? Infinity) <= now) this.algorithm.retry(seat, ballot);
  }

  // -- handing over, H1 to H3

  private handOver(heirId: string, cooldownMillis: number): void {
    const { turn, laps } = this;
    const { reign, seat, ballot, settings, me } = turn.state;
    if (reign === null || seat === null || ballot === null) return;
    const heir = seat.view.members.find((member) => member.id === heirId && !sameMember(member, me));
    if (heir === undefined) {
      turn.effects.push({ type: "handOverFailed", heir: heirId, why: "not_there" });
      return;
    }
    turn.set({ abstains: true, standsAt: turn.at.now + cooldownMillis });
    laps.stepDown("transferred");
    turn.send(heir, { kind: "yield", view: seat.view.id, round: ballot.round, term: reign.term, heir: true });
    turn.set({ bequest: { heir: heirId, until: turn.at.now + 2 * settings.retryMillis } });
  }

  /** The leader of a term has stopped. */
  private yielded(from: RingMember, word: Yield): void {
    if (!sameMember(from, word.term.creator)) return this.turn.drop(from, word, "not_from_predecessor");
    if (compareTerms(this.turn.state.heard.term, word.term) === 0) this.laps.tellNobody();
    if (word.heir) this.inherit(from, word);
  }

  /** The next round is opened with a key that has the term of the one before: all others are lesser. */
  private inherit(from: RingMember, word: Yield): void {
    const { turn } = this;
    const { seat, ballot, reign, seen } = turn.state;
    const isPast = seat === null || ballot === null || !sameView(word.view, seat.view.id) || reign !== null;
    if (isPast || compareTerms(word.term, seen) < 0) return turn.drop(from, word, "past");
    // Who is not in the view has led nobody in it.
    if (!hasMember(seat.view, from)) return turn.drop(from, word, "not_from_predecessor");
    turn.learn(word.term);
    // Who is named need not stand aside any more, as after a resignation of its own.
    turn.set({ abstains: false });
    this.enter(Math.max(ballot.round, word.round) + 1, turn.stands() ? word.term : null);
    this.begin();
  }

  private awaitHeir(): void {
    const { turn } = this;
    const { bequest } = turn.state;
    if (bequest === null || bequest.until > turn.at.now) return;
    turn.set({ bequest: null });
    turn.effects.push({ type: "handOverFailed", heir: bequest.heir, why: "no_answer" });
    const { reign, heard, ballot } = turn.state;
    if (reign === null && !heard.named && ballot !== null && ballot.decided) this.openNext();
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
