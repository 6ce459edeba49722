import { compareRingKeys, compareTerms, type Key, type Lap, type Nack, type RingTerm } from "./ring-message.js";
import {
  remainingMillis,
  ringRemainingMillis,
  type Ballot,
  type Reign,
  type RingLoss,
  type Seat,
} from "./ring-state.js";
import type { RingTurn } from "./ring-turn.js";
import { hasMember, sameMember, sameView, type RingMember } from "./ring-view.js";
import type { Moment } from "./moment.js";

/** More laps than this are not waited for. */
const MAX_LAPS = 16;

/** A leader and its laps round the ring, as itself and as the others know it: R6 to R9. */
export class RingLaps {
  private readonly turn: RingTurn;
  private readonly openNext: () => void;

  /** `openNext` opens the next round of the view. */
  constructor(turn: RingTurn, openNext: () => void) {
    this.turn = turn;
    this.openNext = openNext;
  }

  /** R7, R8: before anything else is done, a leader whose time is up has stopped. */
  enforceDeadline(): void {
    const { state, at } = this.turn;
    const { reign, settings } = state;
    if (reign === null || ringRemainingMillis(state, at) > 0) return;
    const suspended = at.now - reign.confirmedAt.now < settings.leadMillis;
    this.stepDown(suspended ? "suspended" : "expired");
    this.openNext();
  }

  /**
   * This member's key is the greatest of the view. What shows it was sent at that time, or later; `circle` is the greatest
   * term that any member had seen when it passed.
   */
  win(sentAt: Moment, circle: RingTerm | null): void {
    const { turn } = this;
    const { ballot, settings, me } = turn.state;
    if (ballot === null) return;
    if (!ballot.mine.stands) return turn.set({ ballot: { ...ballot, decided: true } });
    // It did when the round began. The next one is without it.
    if (!turn.stands()) return this.openNext();
    if (remainingMillis(settings, sentAt, turn.at) <= 0) return;
    turn.set({ ballot: { ...ballot, decided: true }, vainRounds: 0 });
    turn.learn(circle);
    let { reign } = turn.state;
    if (reign !== null && compareTerms(reign.term, turn.state.seen) >= 0) {
      this.recover(reign);
      const later = sentAt.now > reign.confirmedAt.now ? sentAt : reign.confirmedAt;
      reign = { ...reign, confirmedAt: later, laps: [], doubted: false };
    } else {
      this.stepDown("superseded");
      const term = { counter: (turn.state.seen?.counter ?? 0) + 1, creator: me };
      turn.learn(term);
      reign = { term, confirmedAt: sentAt, sequence: 0, laps: [], beatAt: 0, doubted: false };
      turn.effects.push({ type: "lead", term });
    }
    turn.set({ reign });
    this.lap(reign, "elected");
    this.hear(reign.term, turn.state.reign?.sequence ?? 0);
  }

  beat(): void {
    const { reign } = this.turn.state;
    if (reign !== null && this.beats() && reign.beatAt <= this.turn.at.now) this.lap(reign, "beat");
  }

  /** While a round is open, its contest speaks for the leader. */
  beats(): boolean {
    const { ballot } = this.turn.state;
    return ballot !== null && ballot.decided;
  }

  /** When a leader is to be told that its laps do not come home. */
  doubtAt(reign: Reign): number {
    return reign.confirmedAt.now + this.turn.state.settings.leadMillis / 2;
  }

  doubt(): void {
    const { turn } = this;
    const { reign } = turn.state;
    if (reign === null || reign.doubted || this.doubtAt(reign) > turn.at.now) return;
    turn.set({ reign: { ...reign, doubted: true } });
    turn.effects.push({
      type: "jeopardy",
      term: reign.term,
      remainingMillis: ringRemainingMillis(turn.state, turn.at),
    });
  }

  received(seat: Seat, from: RingMember, lap: Lap): void {
    const { turn } = this;
    const { me, reign, seen, heard } = turn.state;
    if (sameMember(lap.term.creator, me)) return this.home(from, lap, reign);
    if (compareTerms(lap.term, seen) < 0) {
      if (hasMember(seat.view, lap.term.creator)) {
        turn.send(lap.term.creator, { kind: "nack", view: seat.view.id, term: seen });
      }
      return turn.drop(from, lap, "past");
    }
    if (compareTerms(lap.term, heard.term) === 0 && lap.sequence <= heard.sequence) {
      return turn.drop(from, lap, "repeated");
    }
    this.stepDown("superseded");
    turn.learn(lap.term);
    this.hear(lap.term, lap.sequence);
    const { ballot } = turn.state;
    turn.set({
      vainRounds: 0,
      ballot: ballot === null ? null : { ...ballot, decided: true, giveUpAt: turn.state.heard.until },
    });
    turn.sendOn(lap);
  }

  nacked(from: RingMember, nack: Nack): void {
    const { seat, reign } = this.turn.state;
    if (seat === null || !hasMember(seat.view, from)) return this.turn.drop(from, nack, "not_from_predecessor");
    this.turn.learn(nack.term);
    if (reign === null || compareTerms(nack.term, reign.term) <= 0) return;
    this.stepDown("superseded");
    if (sameView(nack.view, seat.view.id)) this.openNext();
  }

  /** R9: a key passes by; before a greater one goes on its way, a leader here has stopped. */
  outrank(ballot: Ballot, key: Key): void {
    if (compareRingKeys(key, ballot.mine) > 0) this.stepDown("superseded");
  }

  stepDown(cause: RingLoss): void {
    const { reign } = this.turn.state;
    if (reign === null) return;
    this.turn.set({ reign: null });
    this.turn.effects.push({ type: "stepDown", term: reign.term, cause });
    this.tellNobody();
  }

  tellNobody(): void {
    const { heard } = this.turn.state;
    if (!heard.named) return;
    this.turn.set({ heard: { ...heard, named: false } });
    this.turn.effects.push({ type: "leader", term: null });
  }

  private home(from: RingMember, lap: Lap, reign: Reign | null): void {
    if (reign === null || compareTerms(reign.term, lap.term) !== 0) return this.turn.drop(from, lap, "past");
    const home = reign.laps.find((each) => each.sequence === lap.sequence);
    // One that is not waited for any more confirms nothing.
    if (home === undefined) return;
    this.recover(reign);
    const laps = reign.laps.filter((each) => each.sequence > lap.sequence);
    this.turn.set({ reign: { ...reign, confirmedAt: home.sentAt, laps, doubted: false } });
  }

  private hear(term: RingTerm, sequence: number): void {
    const { turn } = this;
    const { heard, settings } = turn.state;
    const news = !heard.named || compareTerms(heard.term, term) !== 0;
    turn.set({ heard: { term, sequence, named: true, until: turn.at.now + settings.followMillis } });
    this.succeeded(term.creator);
    if (news) turn.effects.push({ type: "leader", term });
  }

  /** H3: another leads, the heir or who was not meant. */
  private succeeded(leader: RingMember): void {
    const { bequest } = this.turn.state;
    if (bequest === null) return;
    this.turn.set({ bequest: null });
    if (leader.id !== bequest.heir) {
      this.turn.effects.push({ type: "handOverFailed", heir: bequest.heir, why: "another_elected" });
    }
  }

  private recover(before: Reign): void {
    if (before.doubted) this.turn.effects.push({ type: "recovered", term: before.term });
  }

  private lap(reign: Reign, kind: "elected" | "beat"): void {
    const { turn } = this;
    const { ballot, seat, settings } = turn.state;
    if (ballot === null || seat === null) return;
    const sequence = reign.sequence + 1;
    const beatAt = turn.at.now + settings.beatMillis;
    if (turn.isAlone(seat)) {
      this.recover(reign);
      return turn.set({ reign: { ...reign, sequence, beatAt, confirmedAt: turn.at, laps: [], doubted: false } });
    }
    const laps = [...reign.laps.slice(1 - MAX_LAPS), { sequence, sentAt: turn.at }];
    turn.set({ reign: { ...reign, sequence, beatAt, laps } });
    turn.sendOn({ kind, view: seat.view.id, round: ballot.round, term: reign.term, sequence });
  }
}
