/** One snapshot of a hub or of a process on a ring, from /console/events. One comes each second. */
export type Snapshot = HubSnapshot | ProcessSnapshot;

/** The fields that both have. Times are milliseconds since the epoch. */
export interface Led {
  readonly at: number;
  readonly leaderships: readonly Leadership[];
}

export interface HubSnapshot extends Led {
  readonly process?: undefined;
  readonly connections: number;
  /** Messages published, deliveries (one per receiver and message) and rejections since the hub started. */
  readonly received: number;
  readonly delivered: number;
  readonly refused: number;
  readonly channelsInAll: number;
  readonly membersInAll: number;
  readonly leadersInAll: number;
  readonly channels: readonly ChannelSnapshot[];
  readonly refusals: readonly Refusal[];
}

export interface ChannelSnapshot {
  readonly name: string;
  readonly attachments: number;
  readonly membersInAll: number;
  readonly leader?: { readonly id: string; readonly term: number };
  readonly members: readonly { readonly id: string; readonly connection: string; readonly leads: boolean }[];
  /** The slots of the channel that the elector API knows, so admin commands are possible. */
  readonly elections: readonly ElectionSnapshot[];
  /** Whether this page may send admin commands for them. */
  readonly maySendCommands: boolean;
}

export interface ElectionSnapshot {
  readonly name: string;
  /** As in `leader/1`, `worker/2`. */
  readonly slot: string;
  readonly leader?: { readonly id: string; readonly term: number };
  /** The reason of the pause; absent if the election is not paused. */
  readonly paused?: string;
}

export interface Leadership {
  readonly election: string;
  readonly id: string;
  readonly term: number;
  readonly from: number;
  /** Absent while the leadership lasts. */
  readonly to?: number;
}

export interface Refusal {
  readonly at: number;
  readonly client?: string;
  readonly channel?: string;
  readonly code: number;
  readonly sentence: string;
}

export interface ProcessSnapshot extends Led {
  readonly process: Ring;
}

/** An election on a ring, as one of its processes sees it. */
export interface Ring {
  readonly election: string;
  /** The process that sends this. */
  readonly me: string;
  /** Why this process leads or does not lead. */
  readonly why: { readonly reason: string; readonly sentence: string };
  readonly leader?: { readonly id: string; readonly term: number };
  /** This field and the following ones are absent until the process is a member. */
  readonly lastTerm?: number;
  readonly since?: number;
  /** The commands that this page may send. Only the leader's process accepts any. */
  readonly commands?: readonly ("resign" | "transfer")[];
  /** Milliseconds that this process may still lead without another confirmation. Absent if it does not lead. */
  readonly remaining?: number;
  /**
   * When the leader's last heartbeat came. If this process leads: when it sent the last heartbeat that has returned.
   */
  readonly confirmed?: number;
  /** Messages sent by kind, since this process began. */
  readonly sent: Readonly<Record<string, number>>;
  readonly algorithm: string;
  /** The order of candidates with the same priority. */
  readonly order: string;
  /** Duration of the last round trip of a heartbeat, in microseconds. Absent if this process does not lead. */
  readonly confirmedInMicros?: number;
  /** The members in ring order, from this process on. It sends to the next one and receives from the last one. */
  readonly view?: {
    readonly number: number;
    /** The incarnation of the member that created the view. */
    readonly creator: string;
    readonly round: number;
    readonly membersInAll: number;
    readonly members: readonly RingMember[];
  };
  /** Dropped messages by reason, since this process began. */
  readonly dropped: Readonly<Record<string, number>>;
  /** Number of messages kept for a view that is not installed yet. */
  readonly buffered: number;
}

/** A member, as the page shows it. */
export interface RingMember {
  readonly id: string;
  readonly incarnation: string;
  readonly me: boolean;
  readonly leads: boolean;
}
