import type { ChannelStateChange, ConnectionState, InboundMessage, PresenceMessage } from "ably";
import type { SwarmStatus } from "./any-swarm.js";
import { watchPage, type PageEvents } from "./page.js";
import type { RealtimeChannel, RealtimeClient } from "./realtime.js";

/** What is heard on a channel, on the way to it, and of the page. */
export interface SeatEvents extends PageEvents {
  connection(state: ConnectionState): void;
  channel(change: ChannelStateChange): void;
  presence(message: PresenceMessage): void;
  message(message: InboundMessage): void;
}

/** How long who closes waits to be told that it has left: without a connection the SDK tells nothing for minutes. */
export const LEAVE_MILLIS = 2000;

/** One client's place on a channel of a hub. It decides nothing, and knows only what the SDK says. */
export class HubSeat {
  /** The client id. */
  readonly id: string;
  readonly client: RealtimeClient;
  readonly channel: RealtimeChannel;
  /** Whether the channel was attached once. */
  greeted = false;
  private readonly ownsClient: boolean;
  private unwatch: (() => void) | null = null;
  private syncs = 0;
  private closed = false;

  /** Closes the client in `close()` if it owns it. Throws if the client has no client id. */
  constructor(channelName: string, client: RealtimeClient, ownsClient: boolean) {
    this.client = client;
    this.ownsClient = ownsClient;
    this.id = client.auth.clientId;
    if (typeof this.id !== "string" || this.id === "" || this.id === "*") {
      throw new TypeError(`the client's clientId is ${JSON.stringify(this.id)}: a swarm needs one of its own`);
    }
    this.channel = client.channels.get(channelName);
  }

  get isAttached(): boolean {
    return this.channel.state === "attached";
  }

  /** How the way to the hub stands. */
  status(closed: boolean, connected: boolean): SwarmStatus {
    if (closed) return "closed";
    if (this.client.connection.state === "failed" || this.channel.state === "failed") return "failed";
    if (connected) return "connected";
    return this.greeted ? "disconnected" : "connecting";
  }

  /** Listens from now on, and connects; false if that was done before. Throws if it was closed. */
  open(events: SeatEvents): boolean {
    if (this.closed) throw new Error(`the place on "${this.channel.name}" was closed; make another to take part again`);
    if (this.unwatch !== null) return false;
    const { client, channel } = this;
    const onConnection = ({ current }: { current: ConnectionState }) => events.connection(current);
    const onChannel = (change: ChannelStateChange) => events.channel(change);
    const onPresence = (message: PresenceMessage) => events.presence(message);
    const onMessage = (message: InboundMessage) => events.message(message);
    client.connection.on(onConnection);
    channel.on(onChannel);
    // These two attach by themselves, or reject for a reason that attaching reports as well.
    channel.presence.subscribe(onPresence).catch(() => {});
    channel.subscribe(onMessage).catch(() => {});
    const unwatchPage = watchPage(events);
    this.unwatch = () => {
      client.connection.off(onConnection);
      channel.off(onChannel);
      channel.presence.unsubscribe(onPresence);
      channel.unsubscribe(onMessage);
      unwatchPage();
    };
    client.connect();
    return true;
  }

  /** Tells who is present, once the hub has said all; nothing if it was asked again by then. */
  sync(tell: (present: PresenceMessage[]) => void, onError: (error: unknown) => void): void {
    const sync = ++this.syncs;
    this.channel.presence.get().then((present) => {
      if (sync === this.syncs) tell(present);
    }, onError);
  }

  /** Hears nothing more, and closes a client of its own. */
  close(): void {
    this.closed = true;
    this.unwatch?.();
    if (this.ownsClient) this.client.close();
  }
}
