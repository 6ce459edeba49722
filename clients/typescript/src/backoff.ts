const LEAST_MILLIS = 100;
const MOST_MILLIS = 10_000;
const FIRST_MILLIS = 1_000;

/**
 * Computes the backoff between two connections.
 *
 * The delay starts at the server's `retry:` (or 1 s), doubles with each consecutive failure, and is at most 10 s.
 * Jitter reduces the delay by up to half, so that many apps do not reconnect at the same time.
 */
export class Backoff {
  private baseMillis = FIRST_MILLIS;
  private failures = 0;

  /** Resets the backoff after a connection has reported a leader or has reported that nobody leads. */
  worked(): void {
    this.failures = 0;
  }

  /** Sets the first delay to the server's `retry:`, in milliseconds. */
  retry(millis: number): void {
    this.baseMillis = Math.min(Math.max(millis, LEAST_MILLIS), MOST_MILLIS);
  }

  /** Returns the delay before the next connection. `random` is between 0 and 1. */
  nextMillis(random: number): number {
    const whole = Math.min(this.baseMillis * 2 ** Math.min(this.failures, 10), MOST_MILLIS);
    this.failures++;
    return whole * (0.5 + random / 2);
  }
}
