import type { RingLaps } from "./ring-laps.js";
import {
  compareRingKeys,
  laterTerm,
  type Chosen,
  type Compare,
  type Key,
  type RingTerm,
  type RoundMessage,
} from "./ring-message.js";
import type { Ballot, Duel, Seat } from "./ring-state.js";
import type { Algorithm, RingTurn } from "./ring-turn.js";
import { hasMember, sameMember, type RingMember } from "./ring-view.js";

/**
 * Peterson; Dolev, Klawe and Rodeh: each phase, an active member hears the keys of the two active ones before it, and stays
 * active only if the nearer is the greatest of the three, whose key it then stands for (R4). So at least half of them become
 * passive and only pass on. Who hears the key it stands for is alone, and tells that key's member.
 *
 * What a member says depends on what it has heard in order and on nothing else; so each message of a link is taken once, in
 * its order, or the round is given up (R5).
 */
export class Peterson implements Algorithm {
  private readonly turn: RingTurn;
  private readonly laps: RingLaps;

  constructor(turn: RingTurn, laps: RingLaps) {
    this.turn = turn;
    this.laps = laps;
  }

  begin(mine: Key): Duel {
    return { begun: false, active: true, value: mine, first: null, phase: 1 };
  }

  enter(seat: Seat, ballot: Ballot): void {
    const duel = duelOf(ballot);
    if (duel.begun) return;
    this.keep(ballot, { ...duel, begun: true });
    this.say(seat, ballot, duel.phase, false, duel.value, this.turn.state.seen);
  }

  received(seat: Seat, from: RingMember, message: RoundMessage, ballot: Ballot): void {
    if (message.kind === "chosen") return this.chosen(seat, from, message, ballot);
    if (message.kind !== "compare") return this.turn.drop(from, message, "other_algorithm");
    this.enter(seat, ballot);
    this.compared(seat, from, message);
  }

  retryAt(): null {
    return null;
  }

  retry(): void {
    throw new Error("a lost message costs the round; nothing is sent again");
  }

  private compared(seat: Seat, from: RingMember, compare: Compare): void {
    const { ballot } = this.turn.state;
    if (ballot === null) return;
    const { active, value, first, phase } = duelOf(ballot);
    const { key, second } = compare;
    if (compare.phase !== phase || second !== (first !== null)) {
      const isLater = compare.phase > phase || (compare.phase === phase && second);
      return this.turn.drop(from, compare, isLater ? "out_of_order" : "repeated");
    }
    this.laps.outrank(ballot, key);
    // What is due next from the one before.
    const due = second ? { first: null, phase: phase + 1 } : { first: key, phase };
    const seen = laterTerm(compare.seen, this.turn.state.seen);
    if (!active) {
      this.keep(ballot, { begun: true, active, value, ...due });
      this.say(seat, ballot, phase, second, key, seen);
    } else if (first === null) {
      const isAlone = compareRingKeys(key, value) === 0;
      this.keep(ballot, { begun: true, active: !isAlone, value, ...due });
      if (isAlone) this.found(seat, ballot, value.member, seen);
      else this.say(seat, ballot, phase, true, key, seen);
    } else {
      const stays = compareRingKeys(first, value) > 0 && compareRingKeys(first, key) > 0;
      this.keep(ballot, { begun: true, active: stays, value: stays ? first : value, ...due });
      if (stays) this.say(seat, ballot, phase + 1, false, first, this.turn.state.seen);
    }
  }

  private chosen(seat: Seat, from: RingMember, chosen: Chosen, ballot: Ballot): void {
    if (ballot.decided || !hasMember(seat.view, chosen.winner)) return this.turn.drop(from, chosen, "repeated");
    this.found(seat, ballot, chosen.winner, chosen.seen);
  }

  private found(seat: Seat, { began, round }: Ballot, winner: RingMember, seen: RingTerm | null): void {
    if (sameMember(winner, this.turn.state.me)) this.laps.win(began, seen);
    else this.turn.sendOn({ kind: "chosen", view: seat.view.id, round, winner, seen });
  }

  private say(seat: Seat, { round }: Ballot, phase: number, second: boolean, key: Key, seen: RingTerm | null): void {
    this.turn.sendOn({ kind: "compare", view: seat.view.id, round, phase, second, key, seen });
  }

  private keep(ballot: Ballot, duel: Duel): void {
    this.turn.set({ ballot: { ...ballot, contest: duel } });
  }
}

function duelOf(ballot: Ballot): Duel {
  return ballot.contest as Duel;
}
