/** The state of the demonstration, as /quorum/events sends it. Times are milliseconds since the epoch. */
export interface State {
  readonly at: number;
  readonly started: boolean;
  /** Whether this system can freeze a process. */
  readonly canFreeze: boolean;
  /** Whether a member is being added or removed. Only one change runs at a time. */
  readonly changing: boolean;
  /** A silent leader is replaced after this many milliseconds. */
  readonly ttl: number;
  readonly count: number;
  /** Absent if nobody leads the election. */
  readonly leader?: Leading;
  readonly quorum: {
    readonly voters: number;
    /** The number of voters that make a majority. */
    readonly needed: number;
    /** The number of voters that take part. */
    readonly available: number;
    /** Absent if no member leads the log. */
    readonly logLeader?: number;
  };
  readonly members: readonly Member[];
  readonly leaderships: readonly {
    readonly member: number;
    readonly term: number;
    readonly from: number;
    readonly to?: number;
  }[];
  /** The newest first. */
  readonly events: readonly { readonly at: number; readonly text: string }[];
}

export interface Leading {
  readonly member: number;
  readonly term: number;
}

export interface Member {
  readonly number: number;
  readonly pid: number;
  readonly address: string;
  readonly state: "starting" | "running" | "frozen" | "ended";
  readonly cut: boolean;
  /** Whether it is being removed. */
  readonly leaving: boolean;
  /** Its role in Raft; absent before its first report. */
  readonly role?: "leader" | "follower" | "candidate" | "learner" | "waiting";
  readonly votes: boolean;
  /** Raft's term. */
  readonly term: number;
  readonly committed: number;
  readonly applied: number;
  /** Whether it leads the election. */
  readonly leads: boolean;
  /** The leader of the election that it observes. */
  readonly sees?: Leading;
  readonly reaches: readonly number[];
  readonly reachedBy: readonly number[];
}

export const MIN_MEMBERS = 3;
export const MAX_MEMBERS = 7;
