import type { Moment } from "./moment.js";
import { laterTerm, type RingMessage, type RingTerm, type RoundMessage } from "./ring-message.js";
import {
  ringStands,
  type Ballot,
  type Race,
  type Duel,
  type RingEffect,
  type RingState,
  type Seat,
  type Why,
} from "./ring-state.js";
import { sameMember, type RingMember } from "./ring-view.js";

/**
 * One step in the making: the state as the rules change it, and the effects gathered on the way. It lives no longer than the
 * step, so that from outside the machine stays a function.
 */
export class RingTurn {
  state: RingState;
  readonly effects: RingEffect[] = [];
  readonly at: Moment;

  constructor(state: RingState, at: Moment) {
    this.state = state;
    this.at = at;
  }

  set(change: Partial<RingState>): void {
    this.state = { ...this.state, ...change };
  }

  send(to: RingMember, message: RingMessage): void {
    this.effects.push({ type: "send", to, message });
  }

  /** To the successor. */
  sendOn(message: RingMessage): void {
    if (this.state.seat !== null) this.send(this.state.seat.after, message);
  }

  drop(from: RingMember, message: RingMessage, why: Why): void {
    this.effects.push({ type: "dropped", from, message, why });
  }

  learn(term: RingTerm | null): void {
    this.set({ seen: laterTerm(this.state.seen, term) });
  }

  stands(): boolean {
    return this.state.settings.candidate && ringStands(this.state, this.at.now);
  }

  isAlone(seat: Seat): boolean {
    return sameMember(seat.after, this.state.me);
  }
}

/** How the greatest key is found (R4). Its memory is in the ballot. */
export interface Algorithm {
  /** What is kept of a round that is just being entered. */
  begin(mine: Ballot["mine"]): Race | Duel;
  /** Sends this member's key, unless what came before has made that pointless. */
  enter(seat: Seat, ballot: Ballot): void;
  /** A message of this round came from the predecessor. */
  received(seat: Seat, from: RingMember, message: RoundMessage, ballot: Ballot): void;
  /** When something is sent again if nothing happens; null if nothing is. */
  retryAt(ballot: Ballot): number | null;
  retry(seat: Seat, ballot: Ballot): void;
}

/** `base`, doubled so many times, but no more than `most`. */
export function doubled(base: number, times: number, most: number): number {
  return times >= 30 ? most : Math.min(most, base * 2 ** times);
}
