import type { ClientOptions } from "ably";
import { systemClock, type Clock } from "./clock.js";
import type { Settings } from "./ranking-state.js";
import type { RealtimeClient } from "./realtime.js";

/** Behaviour of a swarm. Every field has a default. Times are in milliseconds. */
export interface Behaviour {
  /** Priority in an election without a leader; higher is elected first. It never replaces a leader. Default 0. */
  priority?: number;
  /** False makes the member an observer, which never leads. Default true. */
  candidate?: boolean;
  /**
   * How long a leader may be silent before the hub lets another lead. From 1000 to 15000, default 5000.
   *
   * The leader itself stops after 0.8 of this time without an answer.
   */
  ttlMillis?: number;
  /**
   * How long the channel must have had no leader before the first in rank claims. Default 500.
   *
   * The time drops to 50 after the hub has been seen to grant claims. On a Doyen hub any value is safe; elsewhere use
   * more than two round trips.
   */
  settleMillis?: number;
  /** How long a member that has resigned does not campaign. Default 5000. */
  cooldownMillis?: number;
  /** Number of past messages to receive after an attach, 1 to 100. A checkpoint stays within them. Default 50. */
  rewind?: number;
  /**
   * Receives errors that no call can reject with. Examples are a failed presence write and an exception of a listener.
   */
  onError?: (error: unknown) => void;
  /** For tests. */
  clock?: Clock;
}

/** Settings with an existing Ably client. `close()` leaves the channel and does not close the client's connection. */
export interface WithClient extends Behaviour {
  client: RealtimeClient;
}

/**
 * Settings with connection options of the `ably` package, such as `{key}` or `{authUrl}`, `endpoint`, `port` and `tls`.
 */
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
 * The maximum of `ttlMillis`. By default a hub keeps a member for 15 s after its socket is lost, and then ends its
 * claim. So a leader must not trust its last proof for longer.
 */
export const MAX_TTL_MILLIS = 15_000;
const EXCLUSIVE_SETTLE_MILLIS = 50;

/**
 * Checks the options and returns the machine's settings. Throws a RangeError with the option, the value and the bounds.
 */
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
 * Delays before a lost connection is tried again, in milliseconds. The SDK's defaults, 15 s and 30 s, would leave a
 * swarm without a leader for that long after a restart of the hub.
 */
const RETRIES = { disconnectedRetryTimeout: 2000, suspendedRetryTimeout: 5000 };

/**
 * Returns the settings of a new client. Without a client id it gets an unguessable one. Throws a RangeError if the hub
 * would remove the member before its ttl ends.
 */
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

/** Returns 128 random bits as text. It does not use `crypto.randomUUID`, which is missing on pages without TLS. */
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
