const LEAST_MILLIS = 100;
const MOST_MILLIS = 10_000;
const FIRST_MILLIS = 1_000;

/**
 * Backoff between connections.
 *
 * The delay starts at the server's `retry:` (or 1 s), doubles with each failure in a row, and is at most 10 s. Jitter
 * reduces it to between half and all of that, so that many apps do not reconnect at once.
 */
export class Backoff {
  private baseMillis = FIRST_MILLIS;
  private failures = 0;

  /** Resets the backoff, because a connection has reported a leader or that nobody leads. */
  worked(): void {
    this.failures = 0;
  }

  /** Sets the first delay to the server's `retry:`, in milliseconds. */
  asked(millis: number): void {
    this.baseMillis = Math.min(Math.max(millis, LEAST_MILLIS), MOST_MILLIS);
  }

  /** Returns the delay before the next connection. `random` is between 0 and 1. */
  nextMillis(random: number): number {
    const whole = Math.min(this.baseMillis * 2 ** Math.min(this.failures, 10), MOST_MILLIS);
    this.failures++;
    return whole * (0.5 + random / 2);
  }
}
