/** A leadership that this page has observed. Times are in milliseconds of the page's monotonic clock. */
export interface Leadership {
  readonly id: string;
  readonly term: number;
  readonly from: number;
  /** The end of the leadership; null while the leadership lasts. */
  to: number | null;
  /** The time of the last number of this term; null if no number of this term has arrived. */
  lastMessageAt: number | null;
}

export interface Takeover {
  readonly term: number;
  /** The time between the last message of the old leader and the first message of the new leader, in milliseconds. */
  readonly silenceMillis: number;
}

/** The maximum number of stored leaderships. The oldest leaderships are dropped. */
const MAX_LEADERSHIPS = 200;

/** The history of leaders, and the duration of the last takeover. */
export class Timeline {
  readonly leaderships: Leadership[] = [];
  private lostAt: number | null = null;
  private lastMessageAt: number | null = null;
  private lastMessageTerm = 0;
  private latest: Takeover | null = null;
  private measures = true;
  private readonly silenceLimitMillis: number;

  /** @param silenceLimitMillis the time without a number after which a leader counts as silent */
  constructor(silenceLimitMillis: number) {
    this.silenceLimitMillis = silenceLimitMillis;
  }

  get takeover(): Takeover | null {
    return this.latest;
  }

  /** Returns the time of the last number while no leader counts; null while a leader counts. */
  silentSince(now: number): number | null {
    if (!this.measures) return null;
    if (this.lostAt !== null) return this.lastMessageAt ?? this.lostAt;
    const current = this.leaderships.at(-1);
    return current?.to === null ? this.silentFrom(current, now) : null;
  }

  /** Returns the time from which this leader sent no number; null if it was not silent for the limit. */
  silentFrom({ from, to, lastMessageAt }: Leadership, now: number): number | null {
    const since = lastMessageAt ?? from;
    return (to ?? now) - since > this.silenceLimitMillis ? since : null;
  }

  leaderChanged(leader: { id: string; term: number } | null, now: number): void {
    const current = this.leaderships.at(-1);
    if (current !== undefined && current.to === null) {
      if (leader?.id === current.id && leader.term === current.term) return;
      current.to = now;
      if (this.measures) this.lostAt ??= now;
    }
    if (leader === null) return;
    this.leaderships.push({ id: leader.id, term: leader.term, from: now, to: null, lastMessageAt: null });
    if (this.leaderships.length > MAX_LEADERSHIPS) this.leaderships.shift();
  }

  messageFrom(term: number, now: number): void {
    if (this.lostAt !== null && term > this.lastMessageTerm) {
      const silenceMillis = now - (this.lastMessageAt ?? this.lostAt);
      this.latest = { term, silenceMillis };
      this.lostAt = null;
    }
    const counted = this.leaderships.filter((leadership) => leadership.term === term).at(-1);
    if (counted !== undefined) counted.lastMessageAt = now;
    this.lastMessageAt = now;
    this.lastMessageTerm = Math.max(term, this.lastMessageTerm);
  }

  /**
   * Discards the current measurement, and prevents new measurements until `startMeasuring` is called. The page
   * receives events late from now on.
   */
  stopMeasuring(): void {
    this.measures = false;
    this.lostAt = null;
  }

  startMeasuring(): void {
    this.measures = true;
  }

  /** Returns the ids of the leaders since `from`, in the order of their first leadership. */
  idsSince(from: number): string[] {
    return [
      ...new Set(
        this.leaderships.filter((leadership) => (leadership.to ?? Infinity) >= from).map((leadership) => leadership.id),
      ),
    ];
  }
}
