/** A snapshot of a hub or of a process on a ring. The server sends a snapshot on /console/events each second. */
export type Snapshot = HubSnapshot | ProcessSnapshot;

/** The fields of both kinds of snapshots. Times are milliseconds since the epoch. */
export interface Led {
  readonly at: number;
  readonly leaderships: readonly Leadership[];
}

export interface HubSnapshot extends Led {
  readonly process?: undefined;
  readonly connections: number;
  /**
   * The numbers of published messages, deliveries and rejections since the start of the hub. Each receiver of a message
   * counts as one delivery.
   */
  readonly received: number;
  readonly delivered: number;
  readonly refused: number;
  readonly channelsInAll: number;
  readonly membersInAll: number;
  readonly leadersInAll: number;
  /** The number of channels that match the filter; `channels` contains the first of them. */
  readonly channelsFound: number;
  /** The number of members that the hub did not compare with the filter; absent if the filter names no member. */
  readonly membersUnsearched?: number;
  readonly channels: readonly ChannelSnapshot[];
  readonly refusals: readonly Refusal[];
}

export interface ChannelSnapshot {
  readonly name: string;
  readonly attachments: number;
  readonly membersInAll: number;
  /** The number of members that match the filter; `members` contains the first of them. */
  readonly membersFound: number;
  readonly leader?: { readonly id: string; readonly term: number };
  readonly members: readonly { readonly id: string; readonly connection: string; readonly leads: boolean }[];
  /** The slots of the channel that the elector API serves as elections. Admin commands are possible for these slots. */
  readonly elections: readonly ElectionSnapshot[];
  /** True if this page may send admin commands for the elections of the channel. */
  readonly maySendCommands: boolean;
}

export interface ElectionSnapshot {
  readonly name: string;
  /** The slot of the election, such as `leader/1` or `worker/2`. */
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
  /** The end of the leadership; absent for a present leadership. */
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

/** The state of an election on a ring in one of its processes. */
export interface Ring {
  readonly election: string;
  /** The id of the process that sends this snapshot. */
  readonly me: string;
  /** The reason why this process leads or does not lead. */
  readonly why: { readonly reason: string; readonly sentence: string };
  readonly leader?: { readonly id: string; readonly term: number };
  /** Like `since` and `commands`, this field is absent until the process is a member. */
  readonly lastTerm?: number;
  readonly since?: number;
  /** The commands that this page may send. Only the leader's process accepts commands. */
  readonly commands?: readonly ("resign" | "transfer")[];
  /**
   * The milliseconds for which this process may still lead without another confirmation; absent if it does not lead.
   */
  readonly remaining?: number;
  /**
   * The time of the leader's last heartbeat. If this process leads, the time at which it sent the last heartbeat that
   * has returned.
   */
  readonly confirmed?: number;
  /** The number of sent messages by kind, since the start of this process. */
  readonly sent: Readonly<Record<string, number>>;
  readonly algorithm: string;
  /** The order of candidates with the same priority. */
  readonly order: string;
  /** The duration of the last round trip of a heartbeat in microseconds; absent if this process does not lead. */
  readonly confirmedInMicros?: number;
  /**
   * The installed view. The members of the view are in ring order and start with this process. This process sends to
   * the next member, and receives from the last member.
   */
  readonly view?: {
    readonly number: number;
    /** The incarnation of the member that created the view. */
    readonly creator: string;
    readonly round: number;
    readonly membersInAll: number;
    readonly members: readonly RingMember[];
  };
  /** The number of dropped messages by reason, since the start of this process. */
  readonly dropped: Readonly<Record<string, number>>;
  /** The number of stored messages of a view that is not installed yet. */
  readonly buffered: number;
}

/** A member, as the page displays it. */
export interface RingMember {
  readonly id: string;
  readonly incarnation: string;
  readonly me: boolean;
  readonly leads: boolean;
}
