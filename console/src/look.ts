/** One look at the hub, as /console/events sends it each second. Times are milliseconds since the epoch. */
export interface Look {
  readonly at: number;
  readonly connections: number;
  /** Messages published, delivered (each as often as it had receivers) and things refused, since the hub started. */
  readonly received: number;
  readonly delivered: number;
  readonly refused: number;
  readonly channelsInAll: number;
  readonly membersInAll: number;
  readonly leadersInAll: number;
  readonly channels: readonly ChannelLook[];
  readonly reigns: readonly Reign[];
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
