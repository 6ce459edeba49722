/** One reading of both clocks, in milliseconds. The wall clock only betrays a machine that was suspended (rule L4). */
export interface Moment {
  readonly now: number;
  readonly wall: number;
}
