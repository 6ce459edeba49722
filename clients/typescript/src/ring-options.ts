import type { ClientOptions } from "ably";
import type { Clock } from "./clock.js";
import { ownConnection, within } from "./options.js";
import type { RealtimeClient } from "./realtime.js";
import { isName } from "./ring-message.js";
import type { RingAlgorithm, RingSettings } from "./ring-state.js";

/** How a member of a ring behaves; every field has a default. Times are in milliseconds. */
export interface RingBehaviour {
  /** The election's name, the same for all its members, in Java too. Default: the channel's name. */
  election?: string;
  /**
   * How the greatest key is found; the same for all members, in Java too. Default "chang-roberts". With another one than the
   * rest a member takes part in no election: it follows who is elected without it, and both sides' `onError` are told.
   */
  algorithm?: RingAlgorithm;
  /** 0 to 100; the higher is elected first when nobody leads. It never unseats a leader. Default 100, as in Java. */
  priority?: number;
  /** False to pass messages on without ever leading. Default true. */
  candidate?: boolean;
  /**
   * How long a member waits without a sign of its leader before it opens a round, 8000 to 60000; the same for all
   * members. Default 8000. A leader stops by itself after 0.8 of it. With less, a page that freezes would cost the leader its
   * term before the others leave that page out, which takes 4.1 s.
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
  const followMillis = within("followMillis", options.followMillis ?? 8000, 8000, 60_000);
  return {
    algorithm: algorithmOf(options),
    priority: within("priority", options.priority ?? 100, 0, 100),
    candidate: options.candidate ?? true,
    followMillis,
    leadMillis: (followMillis * 4) / 5,
    beatMillis: followMillis / 5,
    retryMillis: followMillis / 10,
    keepMillis: followMillis,
  };
}

/** Under which the messages of this election go; nobody would read them under what is no name. */
export function topicOf(channelName: string, { election = channelName }: RingBehaviour): string {
  const topic = `ring/${election}`;
  if (election === "" || election.startsWith("~") || !isName(topic)) {
    throw new RangeError(
      `election is ${JSON.stringify(election)}, but must have 1 to 250 characters, none of them a control character, ` +
        'and not begin with "~"; it is the channel\'s name unless set',
    );
  }
  return topic;
}

/** Who does not hear itself cannot tell who is silent (P5). */
export function ringConnection(options: ClientOptions): ClientOptions {
  return { ...ownConnection(options), echoMessages: true };
}

export function cooldownOf(options: RingBehaviour): number {
  return within("cooldownMillis", options.cooldownMillis ?? 5000, 0, 3_600_000);
}

function algorithmOf({ algorithm = "chang-roberts" }: RingBehaviour): RingAlgorithm {
  if (algorithm !== "chang-roberts" && algorithm !== "peterson") {
    throw new RangeError(
      `algorithm is ${JSON.stringify(algorithm)}, but must be "chang-roberts" or "peterson", the same for all members`,
    );
  }
  return algorithm;
}
