/** One look, as /console/events sends it each second: at a hub, or at a process that stands on a ring or by ranking. */
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
  readonly process: Ring | Ranking;
}

/** An election without a store as one of its processes knows it. */
interface Process<M extends Shown> {
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
  readonly view?: View<M>;
  /** Messages by kind, since this process began. */
  readonly sent: Readonly<Record<string, number>>;
}

export interface Ring extends Process<RingMember> {
  readonly manner: "ring";
  readonly algorithm: string;
  /** Which candidate is elected among those of the same priority. */
  readonly order: string;
  /** How long the message took around the ring that confirmed this process last; absent if it does not lead. */
  readonly aroundMicros?: number;
  /** In the order of the ring, from this process on: the next is whom it tells, the last whom it hears. */
  readonly view?: View<RingMember> & { readonly round: number };
  /** Absent without voters. */
  readonly voters?: {
    readonly ids: readonly string[];
    readonly here: number;
    readonly granted: number;
    readonly needed: number;
  };
  /** What was dropped by reason, since this process began. */
  readonly dropped: Readonly<Record<string, number>>;
  /** Messages that are kept for a view that may come. */
  readonly buffered: number;
}

/** Its members are in the order in which they may claim. */
export interface Ranking extends Process<RankedMember> {
  readonly manner: "ranking";
  /** What decides between members of one priority. */
  readonly order: string;
}

export interface View<M extends Shown> {
  readonly number: number;
  /** Who made it. */
  readonly creator: string;
  readonly membersInAll: number;
  readonly members: readonly M[];
}

/** A member as the page shows it. */
interface Shown {
  readonly id: string;
  readonly incarnation: string;
  readonly me: boolean;
  readonly leads: boolean;
}

export interface RingMember extends Shown {
  readonly votes: boolean;
  /** Whether its grant came with the last message that came home; known to who leads, or would. */
  readonly granted: boolean;
}

export interface RankedMember extends Shown {
  readonly stands: boolean;
  /** Whether it has not answered this process. */
  readonly silent: boolean;
}
