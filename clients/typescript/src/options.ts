import type { ClientOptions } from "ably";
import { systemClock, type Clock } from "./clock.js";
import type { Settings } from "./ranking-state.js";
import type { RealtimeClient } from "./realtime.js";

/** How a swarm behaves; every field has a default. Times are in milliseconds. */
export interface Behaviour {
  /** Higher is elected first among those present when there is no leader. It never unseats a leader. Default 0. */
  priority?: number;
  /** False to watch without ever leading. Default true. */
  candidate?: boolean;
  /**
   * How long the hub lets a leader be silent before another may lead, 1000 to 15000. Default 5000. The leader itself
   * stops after 0.8 of it.
   */
  ttlMillis?: number;
  /**
   * How long the channel must have had no leader before the first in rank claims. Default 500, and 50 once the hub is
   * known to grant claims to one member at a time. On a Doyen hub it may be as short as you like; elsewhere keep it
   * above two round trips.
   */
  settleMillis?: number;
  /** How long a member that resigned does not stand again. Default 5000. */
  cooldownMillis?: number;
  /** How many messages of the past the channel asks for when it attaches, 1 to 100; a checkpoint is kept within. Default 50. */
  rewind?: number;
  /** Told of errors that no call can reject with: a failed presence write, an exception in one of your callbacks. */
  onError?: (error: unknown) => void;
  /** For tests. */
  clock?: Clock;
}

/** An Ably client of your own: then its life is yours too, and `close()` leaves the channel but not the connection. */
export interface WithClient extends Behaviour {
  client: RealtimeClient;
}

/** Connection settings of the `ably` package: `{key}` or `{authUrl}`, `endpoint`, `port`, `tls`, and so on. */
export type WithConnection = Behaviour & ClientOptions & { client?: never };

export type SwarmOptions = WithClient | WithConnection;

const OWN_NAMES: ReadonlySet<string> = new Set([
  "client",
  "priority",
  "candidate",
  "ttlMillis",
  "settleMillis",
  "cooldownMillis",
  "rewind",
  "onError",
  "clock",
]);

/**
 * The longest `ttlMillis`. A hub keeps a member whose socket is lost for 15 s unless told otherwise, and then gives its
 * claim away; so no leader may trust its last proof for longer.
 */
export const MAX_TTL_MILLIS = 15_000;
const EXCLUSIVE_SETTLE_MILLIS = 50;

/** The machine's settings, each checked. Throws a RangeError that says what, the value, and the bound. */
export function settingsOf(options: Behaviour): Settings {
  const settleMillis = within("settleMillis", options.settleMillis ?? 500, 0, 60_000);
  return {
    prio: within("priority", options.priority ?? 0, -1000, 1000),
    candidate: options.candidate ?? true,
    ttlMillis: within("ttlMillis", options.ttlMillis ?? 5000, 1000, MAX_TTL_MILLIS),
    settleMillis,
    exclusiveSettleMillis: Math.min(settleMillis, EXCLUSIVE_SETTLE_MILLIS),
    cooldownMillis: within("cooldownMillis", options.cooldownMillis ?? 5000, 0, 3_600_000),
    backoffMillis: 250,
    backoffMaxMillis: 5000,
    answerMillis: 10_000,
  };
}

export function rewindOf(options: Behaviour): number {
  return within("rewind", options.rewind ?? 50, 1, 100);
}

export function clockOf(options: Behaviour): Clock {
  return options.clock ?? systemClock;
}

/**
 * How soon a lost connection is tried again, in milliseconds. The SDK's own 15 s and 30 s would leave a swarm without
 * a leader for that long after a hub was restarted.
 */
const RETRIES = { disconnectedRetryTimeout: 2000, suspendedRetryTimeout: 5000 };

/** The settings for a client of the swarm's own, with an unguessable client id if none is given. */
export function connectionOf(options: WithConnection): ClientOptions {
  const grace = Number((options.transportParams as Record<string, unknown> | undefined)?.["remainPresentFor"]);
  const ttl = options.ttlMillis ?? 5000;
  if (grace < ttl) {
    throw new RangeError(
      `transportParams.remainPresentFor is ${grace}, below ttlMillis (${ttl}): raise it, or lower ttlMillis`,
    );
  }
  const connection = Object.fromEntries(Object.entries(options).filter(([name]) => !OWN_NAMES.has(name)));
  return { clientId: randomId(), autoConnect: false, ...RETRIES, ...connection };
}

/** 128 random bits. `crypto.randomUUID` is missing on pages that were not served over TLS; this is not. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(36).padStart(2, "0")).join("");
}

export function within(name: string, value: number, low: number, high: number): number {
  if (!Number.isInteger(value) || value < low || value > high) {
    throw new RangeError(`${name} is ${value}, but must be an integer from ${low} to ${high}`);
  }
  return value;
}
