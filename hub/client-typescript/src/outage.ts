import type { ClientOptions, ConnectionState, ConnectionStateChange } from "ably";
import { addressOf, adviceFor } from "./options.js";
import type { RealtimeClient } from "./realtime.js";

/** The code of the `ably` package if `authUrl` or `authCallback` fails. */
const AUTH_FAILED = 80019;

/**
 * Reports each outage once, at the first failure.
 *
 * An outage starts if an attempt to connect fails, or if the hub rejects the connection or the channel. It ends when the
 * client is connected or the channel is attached.
 */
export class OutageReporter {
  private readonly client: RealtimeClient;
  private readonly options: ClientOptions | null;
  private readonly report: (error: unknown) => void;
  private reported: "nothing" | "outage" | "rejection" = "nothing";
  private renewsToken = false;

  /** The options are null if the application created the client. */
  constructor(client: RealtimeClient, options: ClientOptions | null, report: (error: unknown) => void) {
    this.client = client;
    this.options = options;
    this.report = report;
  }

  /** The address of the hub, for messages. */
  get address(): string {
    return this.options === null ? "the server of the client" : addressOf(this.options);
  }

  connectionChanged({ current, previous, reason }: ConnectionStateChange): void {
    if (current === "connected") return this.ended();
    const attemptFailed = previous === "connecting" && (current === "disconnected" || current === "suspended");
    if (attemptFailed && !this.renewsToken && isTokenError(reason)) {
      // The SDK requests a new token and tries again at once.
      this.renewsToken = true;
    } else if (attemptFailed || current === "failed") this.failed(reason, current);
  }

  /** Reports an error of the connection or of the channel. */
  failed(reason: unknown = new Error("no reason given"), state: ConnectionState = this.client.connection.state): void {
    const final = state === "failed";
    // A hub that was away can reject the client later. This has another cause, and ends the attempts.
    if (this.reported === "rejection" || (this.reported === "outage" && !final)) return;
    this.reported = final ? "rejection" : "outage";
    const isConnection = final || state === "disconnected" || state === "suspended";
    this.report(isConnection ? this.describe(reason, final) : reason);
  }

  ended(): void {
    this.reported = "nothing";
    this.renewsToken = false;
  }

  private describe(reason: unknown, final: boolean): Error {
    const { message, code, cause } = reason as { message: string; code?: number; cause?: Error };
    const why = cause?.message === undefined ? message : `${message} (${cause.message})`;
    return new Error(`cannot connect to ${this.address}: ${why}. ${this.remedy(code, final)}`, { cause: reason });
  }

  private remedy(code: number | undefined, final: boolean): string {
    if (final) return "The swarm does not try again. Correct the options.";
    const again = "The swarm tries again.";
    if (code === AUTH_FAILED) return `Check authUrl or authCallback. ${again}`;
    return this.options === null ? again : `${adviceFor(this.options)} ${again}`;
  }
}

function isTokenError(reason: { code?: number } | undefined): boolean {
  return reason?.code !== undefined && reason.code >= 40140 && reason.code < 40150;
}
