import type {
  ChannelState,
  ChannelStateChange,
  ConnectionState,
  ConnectionStateChange,
  InboundMessage,
  Message,
  PresenceMessage,
} from "ably";
import type { RealtimeChannel, RealtimeClient, RealtimeConnection, RealtimePresence } from "../../src/realtime.js";
import { FakeError, FakeHub } from "./hub.js";

type Callbacks<T> = Set<(value: T) => void>;

/**
 * A fake SDK client with one channel. Like the SDK, the client attaches again after a reconnect. It also enters its
 * member again if the old connection is lost.
 */
export class FakeClient implements RealtimeClient {
  readonly clientId: string;
  readonly auth: { clientId: string };
  readonly connection: RealtimeConnection & { id?: string | undefined };
  readonly channels: { get(name: string): RealtimeChannel };
  channelParams: Record<string, string> = {};
  published = 0;
  private readonly hub: FakeHub;
  private line: "up" | "silent" | "down" = "down";
  private connectionState: ConnectionState = "initialized";
  private channelState: ChannelState = "initialized";
  private readonly onConnection: Callbacks<ConnectionStateChange> = new Set();
  private readonly onChannel: Callbacks<ChannelStateChange> = new Set();
  private readonly onPresence: Callbacks<PresenceMessage> = new Set();
  private readonly onMessage: Callbacks<InboundMessage> = new Set();
  private synced: Promise<PresenceMessage[]> = Promise.resolve([]);
  private mine: unknown = undefined;
  private socket = 0;

  constructor(hub: FakeHub, clientId: string) {
    this.hub = hub;
    this.clientId = clientId;
    this.auth = { clientId };
    const state = () => this.connectionState;
    this.connection = {
      id: undefined,
      get state() {
        return state();
      },
      on: (callback) => void this.onConnection.add(callback),
      off: (callback) => void this.onConnection.delete(callback),
      ping: () => this.request(() => this.hub.received(this)).then(() => 1),
    };
    const channel = this.channel();
    this.channels = { get: () => channel };
  }

  get key(): string {
    return `${this.connection.id}:${this.clientId}`;
  }

  connect(): void {
    if (this.connectionState !== "initialized") return;
    this.connection.id = this.hub.newConnectionId();
    this.setConnection("connecting");
    this.hub.time.after(FakeHub.LATENCY_MILLIS, () => this.open());
  }

  close(): void {
    this.hub.forget(this);
    this.line = "down";
    this.setConnection("closed");
  }

  /** Stops all traffic. Neither the client nor the hub is notified. */
  fallSilent(): void {
    this.line = "silent";
    this.socket++;
  }

  /**
   * Reconnects after the SDK has detected the loss. If `resumed` is false, the hub has removed the old connection,
   * and the client gets a new one.
   */
  comeBack(resumed: boolean): void {
    this.setConnection("disconnected");
    if (!resumed) {
      this.hub.forget(this);
      this.connection.id = this.hub.newConnectionId();
    }
    this.open();
    this.attachNow();
    const { mine } = this;
    if (mine !== undefined && !resumed) this.request(() => this.hub.put(this, mine)).catch(() => {});
  }

  /** Suspends the channel, as the SDK does after 120 s without a connection. A pending attach rejects. */
  suspendChannel(): void {
    this.setChannel("suspended");
  }

  later(run: () => void): void {
    const { socket } = this;
    this.hub.time.after(FakeHub.LATENCY_MILLIS, () => {
      if (this.line === "up" && this.socket === socket) run();
    });
  }

  gotMessage(message: InboundMessage): void {
    for (const callback of [...this.onMessage]) callback(structuredClone(message));
  }

  gotPresence(message: PresenceMessage): void {
    const own = message.connectionId === this.connection.id && message.clientId === this.clientId;
    if (own) this.mine = message.action === "leave" ? undefined : message.data;
    for (const callback of [...this.onPresence]) callback(structuredClone(message));
  }

  private open(): void {
    this.line = "up";
    this.socket++;
    this.setConnection("connected");
    if (this.channelState === "attaching") this.attachNow();
  }

  private attachNow(): void {
    this.setChannel("attaching");
    this.synced = this.request(() => this.hub.attach(this)).then(({ members, backlog }) => {
      this.setChannel("attached");
      for (const message of backlog) this.gotMessage(message);
      return members;
    });
    this.synced.catch(() => {});
  }

  /** Sends a request. The hub handles the request after 5 ms. The answer arrives 5 ms later, unless the line fails. */
  private request<T>(handle: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.later(() => {
        this.hub.received(this);
        try {
          const result = handle();
          this.later(() => resolve(result));
        } catch (error) {
          this.later(() => reject(error as Error));
        }
      });
    });
  }

  private channel(): RealtimeChannel {
    const state = () => this.channelState;
    const presence: RealtimePresence = {
      get: () => this.synced,
      subscribe: async (callback) => void this.onPresence.add(callback),
      unsubscribe: (callback) => void this.onPresence.delete(callback),
      enter: (data) => this.present(data),
      update: (data) => this.present(data),
      leave: () => this.request(() => this.hub.leave(this)),
    };
    return {
      name: "room",
      get state() {
        return state();
      },
      presence,
      on: (callback) => void this.onChannel.add(callback),
      off: (callback) => void this.onChannel.delete(callback),
      attach: () => {
        if (this.channelState === "attached") return Promise.resolve();
        return new Promise((resolve, reject) => {
          const callback = ({ current }: ChannelStateChange): void => {
            if (current !== "attached" && current !== "suspended") return;
            this.onChannel.delete(callback);
            if (current === "attached") resolve(undefined);
            else reject(new FakeError(80002, "the connection is suspended"));
          };
          this.onChannel.add(callback);
          this.setChannel("attaching");
          if (this.line === "up") this.attachNow();
        });
      },
      setOptions: async (options) => {
        this.channelParams = options.params ?? {};
      },
      subscribe: async (callback) => void this.onMessage.add(callback),
      unsubscribe: (callback) => void this.onMessage.delete(callback),
      publish: (message: Message) => {
        this.published++;
        return this.request(() => this.hub.publish(this, structuredClone(message)));
      },
    };
  }

  private present(data: unknown): Promise<void> {
    if (this.channelState !== "attached" && this.channelState !== "attaching") {
      return Promise.reject(new FakeError(90001, `cannot enter while ${this.channelState}`));
    }
    return this.request(() => this.hub.put(this, data));
  }

  /** Changes the state of the connection, and calls the listeners. */
  changeConnection(change: ConnectionStateChange): void {
    this.connectionState = change.current;
    for (const callback of [...this.onConnection]) callback(change);
  }

  private setConnection(current: ConnectionState): void {
    this.changeConnection({ current, previous: this.connectionState });
  }

  private setChannel(current: ChannelState): void {
    const change = { current, previous: this.channelState, resumed: false, hasBacklog: false } as ChannelStateChange;
    this.channelState = current;
    for (const callback of [...this.onChannel]) callback(change);
  }
}
