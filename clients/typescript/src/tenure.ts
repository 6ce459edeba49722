/**
 * One term of leading, from election to loss. It is never revived: the next election brings another object with a
 * greater term.
 */
export class Tenure {
  /** Greater than that of every leader that this member knew of. On two sides of a ring's partition two may have the same. */
  readonly term: number;
  private readonly remaining: () => number;
  private readonly end = new AbortController();

  constructor(term: number, remaining: () => number) {
    this.term = term;
    this.remaining = remaining;
  }

  /** Aborts when the leadership is lost, before this member lets anybody else in. Its reason is the loss reason. */
  get signal(): AbortSignal {
    return this.end.signal;
  }

  /** Whether this term still lasts, by both clocks at the time of the call. True is a claim, false only doubt. */
  get isLeader(): boolean {
    return this.remainingMillis > 0;
  }

  /** For how long this member may still count on leading if nothing more is heard, in milliseconds. */
  get remainingMillis(): number {
    return this.end.signal.aborted ? 0 : this.remaining();
  }

  /** For the swarm alone. */
  finish(reason: string): void {
    this.end.abort(reason);
  }
}
