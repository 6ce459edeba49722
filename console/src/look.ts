/** One look, as /console/events sends it each second: at a hub, or at a process that stands on a ring. */
export type Look = HubLook | ProcessLook;

/** What both have. Times are milliseconds since the epoch. */
export interface Led {
  readonly at: number;
  readonly reigns: readonly Reign[];
}

export interface HubLook extends Led {
  readonly process?: undefined;
  readonly connections: number;
  /** Messages published, delivered (each as often as it had receivers) and things refused, since the hub started. */
  readonly received: number;
  readonly delivered: number;
  readonly refused: number;
  readonly channelsInAll: number;
  readonly membersInAll: number;
  readonly leadersInAll: number;
  readonly channels: readonly ChannelLook[];
  readonly refusals: readonly Refusal[];
}

export interface ChannelLook {
  readonly name: string;
  readonly attachments: number;
  readonly membersInAll: number;
  readonly leader?: { readonly id: string; readonly term: number };
  readonly members: readonly { readonly id: string; readonly connection: string; readonly leads: boolean }[];
  /** Those of its slots that the elector API knows: orders may be given about them. */
  readonly elections: readonly ElectionLook[];
  /** Whether this page may give orders about them. */
  readonly mayOrder: boolean;
}

export interface ElectionLook {
  readonly name: string;
  /** As in `leader/1`, `worker/2`. */
  readonly slot: string;
  readonly leader?: { readonly id: string; readonly term: number };
  /** Why nobody may lead just now; absent if somebody may. */
  readonly paused?: string;
}

export interface Reign {
  readonly election: string;
  readonly id: string;
  readonly term: number;
  readonly from: number;
  /** Absent while it lasts. */
  readonly to?: number;
}

export interface Refusal {
  readonly at: number;
  readonly client?: string;
  readonly channel?: string;
  readonly code: number;
  readonly sentence: string;
}

export interface ProcessLook extends Led {
  readonly process: Ring;
}

/** An election on a ring as one of its processes knows it. */
export interface Ring {
  readonly election: string;
  /** The process that tells this. */
  readonly me: string;
  /** Why this process leads, or does not. */
  readonly why: { readonly reason: string; readonly sentence: string };
  readonly leader?: { readonly id: string; readonly term: number };
  /** This and what follows is absent before the process is a member. */
  readonly lastTerm?: number;
  readonly since?: number;
  /** What this page may order: only the process that leads takes any. */
  readonly orders?: readonly ("resign" | "transfer")[];
  /** For how many milliseconds this process leads without another confirmation; absent if it does not lead. */
  readonly remaining?: number;
  /** When the leader was heard last; if this process leads, when that was sent which came back last. */
  readonly confirmed?: number;
  /** Messages by kind, since this process began. */
  readonly sent: Readonly<Record<string, number>>;
  readonly algorithm: string;
  /** Which candidate is elected among those of the same priority. */
  readonly order: string;
  /** How long the message took around the ring that confirmed this process last; absent if it does not lead. */
  readonly aroundMicros?: number;
  /** In the order of the ring, from this process on: the next is whom it tells, the last whom it hears. */
  readonly view?: {
    readonly number: number;
    /** Who made it. */
    readonly creator: string;
    readonly round: number;
    readonly membersInAll: number;
    readonly members: readonly RingMember[];
  };
  /** What was dropped by reason, since this process began. */
  readonly dropped: Readonly<Record<string, number>>;
  /** Messages that are kept for a view that may come. */
  readonly buffered: number;
}

/** A member as the page shows it. */
export interface RingMember {
  readonly id: string;
  readonly incarnation: string;
  readonly me: boolean;
  readonly leads: boolean;
}
