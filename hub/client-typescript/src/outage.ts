import type { ClientOptions, ConnectionState, ConnectionStateChange } from "ably";
import { addressOf, adviceFor } from "./options.js";
import type { RealtimeClient } from "./realtime.js";

/** The code of the `ably` package if `authUrl` or `authCallback` fails. */
const AUTH_FAILED = 80019;

/** The state of the outage that a reporter reports. */
export interface Outage {
  /**
   * The level of the last reported failure, or 0 without an outage. The levels are 1 (no connection), 2 (the channel
   * was rejected) and 3 (the connection was rejected).
   */
  reported: number;
  /** True if the owner opens another swarm after a rejection. */
  readonly retries?: true;
}

/**
 * Reports each outage once, at the first failure, and again if a failure of a higher level follows.
 *
 * An outage starts if an attempt to connect fails, or if the hub rejects the connection or the channel. It ends when the
 * channel is attached. If the hub has not rejected the channel, the outage already ends when the client is connected.
 */
export class OutageReporter {
  private readonly client: RealtimeClient;
  private readonly options: ClientOptions | null;
  private readonly report: (error: unknown) => void;
  private readonly outage: Outage;
  private renewsToken = false;
  /** A closed swarm reports no outage. */
  closed = false;

  /** The options are null if the application created the client. */
  constructor(
    client: RealtimeClient,
    options: ClientOptions | null,
    report: (error: unknown) => void,
    outage: Outage = { reported: 0 },
  ) {
    this.client = client;
    this.options = options;
    this.report = report;
    this.outage = outage;
  }

  /** The address of the hub, for messages. */
  get address(): string {
    return this.options === null ? "the server of the client" : addressOf(this.options);
  }

  connectionChanged({ current, previous, reason }: ConnectionStateChange): void {
    if (current === "connected" && this.outage.reported !== 2) this.ended();
    const attemptFailed = previous === "connecting" && (current === "disconnected" || current === "suspended");
    if (attemptFailed && !this.renewsToken && isTokenError(reason)) {
      // The SDK requests a new token and tries again at once.
      this.renewsToken = true;
    } else if (attemptFailed || current === "failed") this.failed(1, reason, current);
  }

  /** Reports an error of the connection (level 1) or a rejection of the channel (level 2). */
  failed(
    level: 1 | 2,
    reason: unknown = new Error("no reason given"),
    state: ConnectionState = this.client.connection.state,
  ): void {
    const final = state === "failed";
    const reached = final ? 3 : level;
    // A hub that was away can reject the client later. This has another cause, so the reporter reports it too.
    if (this.closed || reached <= this.outage.reported) return;
    this.outage.reported = reached;
    const isConnection = final || state === "disconnected" || state === "suspended";
    this.report(isConnection ? this.describe(reason, final) : reason);
  }

  ended(): void {
    this.outage.reported = 0;
    this.renewsToken = false;
  }

  private describe(reason: unknown, final: boolean): Error {
    const { message, code, cause } = reason as { message: string; code?: number; cause?: Error };
    const why = cause?.message === undefined ? message : `${message} (${cause.message})`;
    return new Error(`cannot connect to ${this.address}: ${why}. ${this.remedy(code, final)}`, { cause: reason });
  }

  private remedy(code: number | undefined, final: boolean): string {
    const again = `The swarm ${final && !this.outage.retries ? "does not try" : "tries"} again.`;
    if (final) return `${again} Correct the options.`;
    if (code === AUTH_FAILED) return `Check authUrl or authCallback. ${again}`;
    return this.options === null ? again : `${adviceFor(this.options)} ${again}`;
  }
}

function isTokenError(reason: { code?: number } | undefined): boolean {
  const code = reason?.code ?? 0;
  return code >= 40140 && code < 40150;
}
