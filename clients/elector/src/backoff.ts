const LEAST_MILLIS = 100;
const MOST_MILLIS = 10_000;
const FIRST_MILLIS = 1_000;

/**
 * How long to wait before the next connection: what the server asked for, doubled with each failure in a row, at most
 * 10 s, and then something between half of that and all of it, so that many apps do not come back at once.
 */
export class Backoff {
  private baseMillis = FIRST_MILLIS;
  private failures = 0;

  /** A connection worked: it named a leader, or nobody. */
  worked(): void {
    this.failures = 0;
  }

  /** The server's `retry:`. */
  asked(millis: number): void {
    this.baseMillis = Math.min(Math.max(millis, LEAST_MILLIS), MOST_MILLIS);
  }

  /** `random` is from 0 to 1. */
  nextMillis(random: number): number {
    const whole = Math.min(this.baseMillis * 2 ** Math.min(this.failures, 10), MOST_MILLIS);
    this.failures++;
    return whole * (0.5 + random / 2);
  }
}
