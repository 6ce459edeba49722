/** A tick of the shared counter that the leader publishes. */
export interface Tick {
  readonly term: number;
  readonly n: number;
}

/**
 * The shared count. Only the leader advances the count, by one at a time.
 *
 * Every page checks that no number is missing or repeated.
 */
export class Count {
  private last: Tick | null = null;
  private gaps = 0;

  get value(): number | null {
    return this.last?.n ?? null;
  }

  get term(): number {
    return this.last?.term ?? 0;
  }

  /** Returns how often a number did not follow the previous number since this page was opened. */
  get breaks(): number {
    return this.gaps;
  }

  /** Returns the tick that a leader publishes next. */
  next(term: number): Tick {
    return { term, n: (this.last?.n ?? 0) + 1 };
  }

  /** Processes a published tick. Returns false if the data is not a tick, or if the tick's term has ended. */
  take(data: unknown): boolean {
    const tick = data as Partial<Tick> | null;
    if (tick === null || typeof tick !== "object") return false;
    const { term, n } = tick;
    if (!Number.isSafeInteger(term) || !Number.isSafeInteger(n)) return false;
    const taken: Tick = { term: term as number, n: n as number };
    if (this.last !== null) {
      if (taken.term < this.last.term) return false;
      if (taken.n !== this.last.n + 1) this.gaps++;
    }
    this.last = taken;
    return true;
  }
}
