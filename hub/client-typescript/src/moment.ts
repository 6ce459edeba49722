/** One reading of both clocks, in milliseconds. The wall clock serves only to detect a suspended machine (K9). */
export interface Moment {
  readonly now: number;
  readonly wall: number;
}
