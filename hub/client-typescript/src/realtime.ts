/**
 * The part of an Ably client that a swarm uses.
 *
 * The `Realtime` class of the `ably` package and the fake client of the tests implement it.
 */
import type {
  ChannelOptions,
  ChannelState,
  ChannelStateChange,
  ConnectionState,
  ConnectionStateChange,
  InboundMessage,
  Message,
  PresenceMessage,
} from "ably";

export interface RealtimeClient {
  readonly clientId: string;
  readonly auth: { readonly clientId: string };
  readonly connection: RealtimeConnection;
  readonly channels: { get(name: string): RealtimeChannel };
  connect(): void;
  close(): void;
}

export interface RealtimeConnection {
  readonly id?: string | undefined;
  readonly state: ConnectionState;
  on(callback: (change: ConnectionStateChange) => void): void;
  off(callback: (change: ConnectionStateChange) => void): void;
  ping(): Promise<number>;
}

export interface RealtimeChannel {
  readonly name: string;
  readonly state: ChannelState;
  readonly presence: RealtimePresence;
  on(callback: (change: ChannelStateChange) => void): void;
  off(callback: (change: ChannelStateChange) => void): void;
  attach(): Promise<unknown>;
  setOptions(options: ChannelOptions): Promise<void>;
  subscribe(callback: (message: InboundMessage) => void): Promise<unknown>;
  unsubscribe(callback: (message: InboundMessage) => void): void;
  publish(message: Message): Promise<unknown>;
}

export interface RealtimePresence {
  get(): Promise<PresenceMessage[]>;
  subscribe(callback: (message: PresenceMessage) => void): Promise<void>;
  unsubscribe(callback: (message: PresenceMessage) => void): void;
  enter(data: unknown): Promise<void>;
  update(data: unknown): Promise<void>;
  leave(): Promise<void>;
}
