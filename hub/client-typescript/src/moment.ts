/**
 * One reading of the monotonic clock and the wall clock, in milliseconds. The wall clock serves only to detect that the
 * computer was suspended (K9).
 */
export interface Moment {
  readonly now: number;
  readonly wall: number;
}
