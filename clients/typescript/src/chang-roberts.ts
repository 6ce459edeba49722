import type { RingLaps } from "./ring-laps.js";
import { compareRingKeys, laterTerm, type Elect, type RoundMessage } from "./ring-message.js";
import type { Ballot, Race, Seat } from "./ring-state.js";
import { doubled, type Algorithm, type RingTurn } from "./ring-turn.js";
import { sameMember, type RingMember } from "./ring-view.js";

/**
 * Chang and Roberts: a key travels until it meets a greater one; the one that comes home has won (R4). Every other step of it
 * may happen twice, so a key that was lost is simply sent again (R5).
 */
export class ChangRoberts implements Algorithm {
  private readonly turn: RingTurn;
  private readonly laps: RingLaps;

  constructor(turn: RingTurn, laps: RingLaps) {
    this.turn = turn;
    this.laps = laps;
  }

  begin(): Race {
    return { best: null, bestAttempt: 0, attempts: 0, sentAt: this.turn.at, retryAt: 0 };
  }

  enter(seat: Seat, ballot: Ballot): void {
    if (raceOf(ballot).attempts === 0 && !isOutdone(ballot)) this.retry(seat, ballot);
  }

  received(seat: Seat, from: RingMember, message: RoundMessage, ballot: Ballot): void {
    if (message.kind !== "elect") return this.turn.drop(from, message, "other_algorithm");
    if (sameMember(message.key.member, this.turn.state.me)) return this.home(from, message, ballot);
    if (compareRingKeys(message.key, ballot.mine) > 0) return this.pass(from, message, ballot);
    if (!ballot.decided) this.enter(seat, ballot);
  }

  retryAt(ballot: Ballot): number | null {
    const { attempts, retryAt } = raceOf(ballot);
    return !ballot.decided && attempts > 0 && !isOutdone(ballot) ? retryAt : null;
  }

  retry(seat: Seat, ballot: Ballot): void {
    const { at, state } = this.turn;
    const { retryMillis, followMillis } = state.settings;
    const attempt = raceOf(ballot).attempts + 1;
    const retryAt = at.now + doubled(retryMillis, attempt - 1, followMillis);
    const race: Race = { best: ballot.mine, bestAttempt: attempt, attempts: attempt, sentAt: at, retryAt };
    this.turn.set({ ballot: { ...ballot, contest: race } });
    const { round, mine: key } = ballot;
    this.turn.sendOn({ kind: "elect", view: seat.view.id, round, key, attempt, seen: state.seen });
  }

  private home(from: RingMember, elect: Elect, ballot: Ballot): void {
    if (ballot.decided || compareRingKeys(elect.key, ballot.mine) !== 0) {
      return this.turn.drop(from, elect, "repeated");
    }
    const { attempts, sentAt } = raceOf(ballot);
    // Of an earlier attempt it is not known any more when it was sent, but it was not before the round.
    this.laps.win(elect.attempt === attempts ? sentAt : ballot.began, elect.seen);
  }

  private pass(from: RingMember, elect: Elect, ballot: Ballot): void {
    const race = raceOf(ballot);
    this.laps.outrank(ballot, elect.key);
    const order = race.best === null ? -1 : compareRingKeys(race.best, elect.key);
    if (order > 0) return;
    if (order === 0 && elect.attempt <= race.bestAttempt) return this.turn.drop(from, elect, "repeated");
    this.turn.set({ ballot: { ...ballot, contest: { ...race, best: elect.key, bestAttempt: elect.attempt } } });
    this.turn.sendOn({ ...elect, seen: laterTerm(elect.seen, this.turn.state.seen) });
  }
}

function isOutdone(ballot: Ballot): boolean {
  const { best } = raceOf(ballot);
  return best !== null && compareRingKeys(best, ballot.mine) > 0;
}

function raceOf(ballot: Ballot): Race {
  return ballot.contest as Race;
}
