import { close } from "#sdk";
import type { SwarmStatus } from "@doyen/tabs/api";
import type { ChannelStateChange, ConnectionStateChange, InboundMessage, PresenceMessage } from "ably";
import { watchPage, type PageEvents } from "./page.js";
import type { RealtimeChannel, RealtimeClient } from "./realtime.js";

/** The listeners for the events of the connection, of the channel and of the page. */
export interface HubMemberEvents extends PageEvents {
  readonly connection: (change: ConnectionStateChange) => void;
  readonly channel: (change: ChannelStateChange) => void;
  readonly presence: (message: PresenceMessage) => void;
  readonly message: (message: InboundMessage) => void;
}

/** The maximum wait for the answer to a leave. Without a connection, the SDK does not answer for minutes. */
export const LEAVE_MILLIS = 2000;

/** The connection of one client to one channel of a hub. This class makes no decisions. */
export class HubMember {
  /** The client id of the connection. */
  readonly id: string;
  readonly client: RealtimeClient;
  readonly channel: RealtimeChannel;
  /** True if the channel has been attached at least once. */
  greeted = false;
  private readonly ownsClient: boolean;
  private unwatch: (() => void) | null = null;
  private syncs = 0;

  /** `close()` closes the client only if `ownsClient` is true. Throws if the client has no client id. */
  constructor(channelName: string, client: RealtimeClient, ownsClient: boolean) {
    this.client = client;
    this.ownsClient = ownsClient;
    this.id = client.auth.clientId;
    if (typeof this.id !== "string" || this.id === "" || this.id === "*") {
      throw new TypeError(`the client's clientId is ${JSON.stringify(this.id)}: a swarm needs its own clientId`);
    }
    this.channel = client.channels.get(channelName);
  }

  /** Derives the status of the swarm from the states of the SDK. */
  status(closed: boolean, connected: boolean): SwarmStatus {
    if (closed) return "closed";
    if (this.client.connection.state === "failed" || this.channel.state === "failed") return "failed";
    if (connected) return "connected";
    return this.greeted ? "disconnected" : "connecting";
  }

  /** Starts to listen and connects. Returns false if the member is already open. */
  open(events: HubMemberEvents): boolean {
    if (this.unwatch !== null) return false;
    const { client, channel } = this;
    client.connection.on(events.connection);
    channel.on(events.channel);
    // Both `subscribe` calls attach the channel. If they reject, the swarm's own attach call rejects for the same
    // reason.
    channel.presence.subscribe(events.presence).catch(() => {});
    channel.subscribe(events.message).catch(() => {});
    const unwatchPage = watchPage(events);
    this.unwatch = () => {
      client.connection.off(events.connection);
      channel.off(events.channel);
      channel.presence.unsubscribe(events.presence);
      channel.unsubscribe(events.message);
      unwatchPage();
    };
    client.connect();
    return true;
  }

  /**
   * Passes the presence set to `onSynced` after the hub has sent all members. Does nothing if another sync has started
   * in the meantime.
   */
  sync(onSynced: (present: PresenceMessage[]) => void, onError: (error: unknown) => void): void {
    const sync = ++this.syncs;
    this.channel.presence.get().then((present) => {
      if (sync === this.syncs) onSynced(present);
    }, onError);
  }

  /** Stops listening, and closes the client if this object owns the client. */
  close(): void {
    this.unwatch?.();
    if (this.ownsClient) close(this.client);
  }
}
