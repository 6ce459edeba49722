import type { ClientOptions } from "ably";
import { systemClock, type Clock } from "./clock.js";
import type { Settings } from "./ranking-state.js";
import type { RealtimeClient } from "./realtime.js";

/** The options for the behaviour of a swarm. Every field has a default. Times are in milliseconds. */
export interface Behaviour {
  /**
   * The priority in an election without a leader. A member with a higher priority is elected first, but never
   * replaces a leader. The default is 0.
   */
  priority?: number;
  /** False makes the member an observer, which never leads. The default is true. */
  candidate?: boolean;
  /**
   * The time of silence after which the hub lets another member lead. The default is 5000. Values from 1000 to 15000
   * are valid.
   *
   * The leader itself stops after 0.8 of this time without an answer.
   */
  ttlMillis?: number;
  /**
   * The time without a leader after which the first member in rank claims.
   *
   * The default is 50 if the options of the connection select a hub, and 500 for Ably's service or an own `client`. If
   * the hub is known to grant claims, the time is at most 50. On a Doyen hub any value is safe. On other services, use
   * more than two round trips.
   */
  settleMillis?: number;
  /** The time for which a member that has resigned does not campaign. The default is 5000. */
  cooldownMillis?: number;
  /**
   * The number of past messages to receive after an attach, from 1 to 100. The leader repeats its checkpoint, so that
   * these messages always contain it. The default is 50.
   */
  rewind?: number;
  /**
   * Receives each outage once, and errors that belong to no call. Examples are a failed presence write and an
   * exception of a listener. The default is `console.error`.
   */
  onError?: (error: unknown) => void;
  /** The clock of the swarm. Only tests replace it. */
  clock?: Clock;
}

/**
 * Settings that contain an existing Ably client. `close()` leaves the channel and does not close the client's
 * connection.
 */
export interface WithClient extends Behaviour {
  client: RealtimeClient;
}

/**
 * Settings that contain connection options of the `ably` package. Examples are `{key}` or `{authUrl}`, `endpoint`,
 * `port` and `tls`.
 */
export type WithConnection = Behaviour & ClientOptions & { client?: never };

export type SwarmOptions = WithClient | WithConnection;

/**
 * The maximum of `ttlMillis`. By default a hub removes a member 15 s after the member's socket is lost, and ends the
 * member's claim. A leader must therefore not rely on an answer that is older than 15 s.
 */
export const MAX_TTL_MILLIS = 15_000;
const SETTLE_MILLIS = 500;
/** The settle time on a hub, which never grants two claims at once. */
const EXCLUSIVE_SETTLE_MILLIS = 50;

/**
 * Checks the options and returns the machine's settings. Throws a RangeError with the option, the value and the
 * bounds.
 */
export function settingsOf(options: SwarmOptions): Settings {
  const isHub = options.client === undefined && hubHost(options) !== null;
  const defaultMillis = isHub ? EXCLUSIVE_SETTLE_MILLIS : SETTLE_MILLIS;
  const settleMillis = within("settleMillis", options.settleMillis ?? defaultMillis, 0, 60_000);
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
 * The delays before the SDK tries a lost connection again, in milliseconds. The SDK's defaults of 15 s and 30 s
 * would leave a swarm without a leader for that time after a restart of the hub.
 */
const RETRIES = { disconnectedRetryTimeout: 2000, suspendedRetryTimeout: 5000 };

/**
 * Returns options with which the `ably` package contacts only the hub at `endpoint`. Pass them to your own client.
 *
 * Without these options, the package contacts hosts of Ably if the hub is away or slow. A host name without a dot needs
 * `port` or `tlsPort`. Options for Ably's service stay as they are. Throws a TypeError if a port has no host.
 */
export function hubOptions<T extends ClientOptions>(options: T): T {
  const host = hubHost(options);
  if (host === null) return options;
  const given = withoutUndefined(options);
  // The SDK takes other endpoints for names of Ably's routing policies.
  if (given.endpoint !== undefined && !isHostName(given.endpoint)) {
    delete given.endpoint;
    given.restHost = host;
  }
  return {
    fallbackHosts: [],
    disableConnectivityCheck: true,
    // No option turns off the check of WebSockets. The SDK runs it if a handshake is slow, or before it tries a
    // transport other than WebSocket.
    wsConnectivityCheckUrl: addressOf(options),
    webSocketSlowTimeout: 2 ** 31 - 1,
    transports: ["web_socket"],
    ...given,
  } as unknown as T;
}

/** Returns a copy without undefined values, because a spread or the SDK takes an undefined value for a given one. */
function withoutUndefined<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}

/** Returns the host of a hub, or null if the options select Ably's service. */
function hubHost(options: ClientOptions): string | null {
  const { endpoint, environment, port = options.tlsPort } = options;
  const host = options.restHost ?? options.realtimeHost ?? endpoint;
  if (host === "" || (host === undefined && environment === undefined && port !== undefined)) {
    throw new TypeError(
      `endpoint is ${host === "" ? "empty" : "missing"}, so the client would contact Ably's service: set it to the hub's host`,
    );
  }
  if (host === undefined || /\.ably(-\w+)*\.(io|net|com)$/i.test(host)) return null;
  return host === endpoint && port === undefined && !isHostName(host) ? null : host;
}

/** Returns true if the SDK takes this endpoint for a host name. */
function isHostName(endpoint: string): boolean {
  return /\.|::|^localhost$/.test(endpoint);
}

/** Returns the URL to which the SDK connects. The URL contains no credentials. */
export function addressOf(options: ClientOptions): string {
  const host = hubHost(options);
  if (host === null) return "Ably's service";
  return usesTls(options) ? `wss://${host}:${options.tlsPort ?? 443}` : `ws://${host}:${options.port ?? 80}`;
}

/** Returns the options to check if the client cannot connect. */
export function adviceFor(options: ClientOptions): string {
  const { port, tlsPort } = options;
  if (usesTls(options) && port !== undefined && tlsPort === undefined) {
    return `With TLS, the client ignores port ${port}: set tls to false, or set tlsPort.`;
  }
  return `Check that the hub runs, and check endpoint, ${usesTls(options) ? "tlsPort" : "port"} and tls.`;
}

function usesTls(options: ClientOptions): boolean {
  return options.tls ?? true;
}

/**
 * Returns the settings of a new client for a channel.
 *
 * Without a client id, the settings get an unguessable id. Requests to `authUrl` get the channel as the parameter
 * `channel`, so that the server can limit the token to this channel. Throws a RangeError if the hub would remove the
 * member before the ttl of the member ends.
 */
export function connectionOf(channelName: string, options: WithConnection): ClientOptions {
  const grace = Number((options.transportParams as Record<string, unknown> | undefined)?.["remainPresentFor"]);
  const ttl = options.ttlMillis ?? 5000;
  if (grace < ttl) {
    throw new RangeError(
      `transportParams.remainPresentFor is ${grace}, below ttlMillis (${ttl}): raise it, or lower ttlMillis`,
    );
  }
  const {
    client,
    priority,
    candidate,
    ttlMillis,
    settleMillis,
    cooldownMillis,
    rewind,
    onError,
    clock,
    ...connection
  } = options;
  const given = withoutUndefined(connection);
  // Without authUrl, the SDK would add the parameter to its own requests for tokens.
  if (given.authUrl !== undefined) given.authParams = { channel: channelName, ...given.authParams };
  return hubOptions({ clientId: randomId(), autoConnect: false, ...RETRIES, ...given });
}

/**
 * Returns 128 random bits as text. The function does not use `crypto.randomUUID`, which is missing on pages without
 * TLS.
 */
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
