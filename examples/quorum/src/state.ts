/** The state of the demonstration, which /quorum/events sends. Times are in milliseconds since the epoch. */
export interface State {
  readonly at: number;
  readonly started: boolean;
  /** True if this system can freeze a process. */
  readonly canFreeze: boolean;
  /** True if a member is being added or removed. Only one change runs at a time. */
  readonly changing: boolean;
  /** The time after which a silent leader is replaced, in milliseconds. */
  readonly ttl: number;
  readonly count: number;
  /** The leader of the election; absent if no member leads. */
  readonly leader?: Leading;
  readonly quorum: {
    readonly voters: number;
    /** The number of voters that make a majority. */
    readonly needed: number;
    /** The number of voters that run and are connected to the other members. */
    readonly available: number;
    /** The member that leads the log; absent if no member leads the log. */
    readonly logLeader?: number;
  };
  readonly members: readonly Member[];
  readonly leaderships: readonly {
    readonly member: number;
    readonly term: number;
    readonly from: number;
    readonly to?: number;
  }[];
  /** The latest events, newest first. */
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
  /** True if the member is being removed. */
  readonly leaving: boolean;
  /** The role of the member in Raft; absent before the member's first report. */
  readonly role?: "leader" | "follower" | "candidate" | "learner" | "waiting";
  readonly votes: boolean;
  /** The Raft term of the member. */
  readonly term: number;
  readonly committed: number;
  readonly applied: number;
  /** True if the member leads the election. */
  readonly leads: boolean;
  /** The leader of the election, as this member observes it. */
  readonly sees?: Leading;
  readonly reaches: readonly number[];
  readonly reachedBy: readonly number[];
}

export const MIN_MEMBERS = 3;
export const MAX_MEMBERS = 7;
