import { settledWithin, type Clock } from "./clock.js";
import type { RingEffect, RingLoss } from "./ring-state.js";
import type { RingTerm } from "./ring-message.js";

export type Send = Extract<RingEffect, { type: "send" }>;

/** What comes of the work of a leader. */
export interface WorkEvents {
  send(message: Send): void;
  /** The work has not stopped so long after its term that the member could have led again. */
  overdue(term: RingTerm, cause: RingLoss): void;
  /** It has stopped; whether it was overdue. */
  stopped(wasOverdue: boolean): void;
}

/** So many messages wait for the work to stop; then the oldest is lost. */
const MAX_UNSENT = 256;

/**
 * The work of a leader, which is promises that its listeners returned, and what waits for it after the term has ended (R9):
 * what is to be sent, until the work has stopped or the leadership would be over by itself; and the next term of this member,
 * until it has stopped.
 *
 * Source: docs/spec/ring.md, "The driver"; docs/decisions/0039. In Java `MembershipLoop` does the same.
 */
export class RingWork {
  /** Settles when nothing that is to be sent waits any more. */
  sentOn: Promise<void> = Promise.resolve();
  private readonly clock: Clock;
  private readonly events: WorkEvents;
  /** Promises that have not settled. */
  private readonly running = new Set<Promise<unknown>>();
  /** The work of a term that is over goes on. */
  private stopping = false;
  private overdue = false;
  private cancelPatience = (): void => {};
  /** Null if nothing has to wait. */
  private unsent: Send[] | null = null;

  constructor(clock: Clock, events: WorkEvents) {
    this.clock = clock;
    this.events = events;
  }

  /** While this is so, no other term is told to have begun. */
  get isStopping(): boolean {
    return this.stopping;
  }

  /** While this is so, the member does not stand. */
  get isOverdue(): boolean {
    return this.overdue;
  }

  /** Of what listeners have returned, promises are work, until they settle. */
  add(results: readonly unknown[]): void {
    for (const result of results) {
      if (!(result instanceof Promise)) continue;
      this.running.add(result);
      const end = () => this.running.delete(result);
      result.then(end, end);
    }
  }

  /** The term has ended, which could have lasted for `spareMillis`. */
  end(term: RingTerm, cause: RingLoss, spareMillis: number, leadMillis: number): void {
    if (this.running.size === 0) return;
    this.stopping = true;
    this.cancelPatience = this.clock.after(leadMillis, () => {
      this.overdue = true;
      this.events.overdue(term, cause);
    });
    const stopped = Promise.allSettled([...this.running]).then(() => this.stopped());
    if (spareMillis <= 0) return;
    const unsent: Send[] = [];
    this.unsent = unsent;
    this.sentOn = settledWithin(this.clock, spareMillis, stopped).then(() => {
      if (this.unsent === unsent) this.sendOn();
    });
  }

  /** Sends it now, or when nothing has to wait any more. */
  send(message: Send): void {
    if (this.unsent === null) return this.events.send(message);
    // Who was to hear it hears it again, or is lost to it: R5 and R7 are for that.
    if (this.unsent.length === MAX_UNSENT) this.unsent.shift();
    this.unsent.push(message);
  }

  /** Says nothing of work that is overdue any more. */
  close(): void {
    this.cancelPatience();
  }

  private stopped(): void {
    this.stopping = false;
    this.cancelPatience();
    this.sendOn();
    const { overdue } = this;
    this.overdue = false;
    this.events.stopped(overdue);
  }

  private sendOn(): void {
    const { unsent } = this;
    this.unsent = null;
    for (const message of unsent ?? []) this.events.send(message);
  }
}
