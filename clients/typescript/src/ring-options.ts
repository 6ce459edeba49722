import type { ClientOptions } from "ably";
import type { Clock } from "./clock.js";
import { within } from "./options.js";
import type { RealtimeClient } from "./realtime.js";
import type { RingSettings } from "./ring.js";

/** How a member of a ring behaves; every field has a default. Times are in milliseconds. */
export interface RingBehaviour {
  /** The election's name, the same for all its members, in Java too. Default: the channel's name. */
  election?: string;
  /** 0 to 100; the higher is elected first when nobody leads. It never unseats a leader. Default 100, as in Java. */
  priority?: number;
  /** False to pass messages on without ever leading. Default true. */
  candidate?: boolean;
  /**
   * How long a member waits without a sign of its leader before it opens a round, 1000 to 60000; the same for all
   * members. Default 5000. A leader stops by itself after 0.8 of it.
   */
  followMillis?: number;
  /** How long a member that resigned does not stand again. Default 5000. */
  cooldownMillis?: number;
  /** Told of errors that no call can reject with: a failed presence write, an exception in one of your callbacks. */
  onError?: (error: unknown) => void;
  /** For tests. */
  clock?: Clock;
}

/**
 * With an Ably client of your own, or with the connection settings of the `ably` package: `{key}` or `{authUrl}`,
 * `endpoint`, `port`, `tls`, and so on.
 */
export type RingOptions =
  (RingBehaviour & { client: RealtimeClient }) | (RingBehaviour & ClientOptions & { client?: never });

/** The machine's settings, each checked; the parts of follow are those of `RingTiming.ofFollow` in Java. */
export function ringSettings(options: RingBehaviour): RingSettings {
  const followMillis = within("followMillis", options.followMillis ?? 5000, 1000, 60_000);
  return {
    priority: within("priority", options.priority ?? 100, 0, 100),
    candidate: options.candidate ?? true,
    followMillis,
    leadMillis: (followMillis * 4) / 5,
    beatMillis: followMillis / 5,
    retryMillis: followMillis / 10,
    keepMillis: followMillis,
  };
}

export function cooldownOf(options: RingBehaviour): number {
  return within("cooldownMillis", options.cooldownMillis ?? 5000, 0, 3_600_000);
}
