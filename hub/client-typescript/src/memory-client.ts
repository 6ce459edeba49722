import type { ChannelStateChange, ConnectionState, ConnectionStateChange, InboundMessage, PresenceMessage } from "ably";
import type { Clock } from "./clock.js";
import { TERM_HEADER } from "./member.js";
import type { RealtimeChannel, RealtimeClient, RealtimeConnection, RealtimePresence } from "./realtime.js";

/** The wall-clock time at which a `MemoryTime` starts. */
const START_MILLIS = 1_700_000_000_000;

/** A clock that advances only from one timer to the next. */
export class MemoryTime implements Clock {
  private now = 0;
  private suspendedMillis = 0;
  private timers: { readonly at: number; readonly callback: () => void }[] = [];

  monotonicMillis(): number {
    return this.now;
  }

  wallMillis(): number {
    return START_MILLIS + this.now + this.suspendedMillis;
  }

  after(millis: number, callback: () => void): () => void {
    const timer = { at: this.now + millis, callback };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
  }

  /** Advances to the next timer and runs it. Does nothing without a timer. */
  runNext(): void {
    const next = this.timers.reduce<(typeof this.timers)[number] | null>(
      (first, timer) => (first === null || timer.at < first.at ? timer : first),
      null,
    );
    if (next === null) return;
    this.timers = this.timers.filter((other) => other !== next);
    this.now = Math.max(this.now, next.at);
    next.callback();
  }

  /** Advances only the wall clock, as on a computer that was suspended. */
  suspend(millis: number): void {
    this.suspendedMillis += millis;
  }
}

/**
 * A client with its own hub in memory. The hub answers at once, and grants each claim.
 *
 * The hub has one channel. The only other member is `OTHER`.
 */
export class MemoryClient implements RealtimeClient {
  static readonly OTHER = "another member";
  readonly clientId: string;
  readonly auth: { readonly clientId: string };
  readonly connection: RealtimeConnection;
  readonly channels: { get(name: string): RealtimeChannel };
  answersPings = true;
  private readonly time: MemoryTime;
  private readonly present = new Map<string, PresenceMessage>();
  private connectionState: ConnectionState = "initialized";
  private readonly onConnection = new Set<(change: ConnectionStateChange) => void>();
  private readonly onPresence = new Set<(message: PresenceMessage) => void>();
  private term = 0;
  private serial = 0;

  constructor(channelName: string, clientId: string, time: MemoryTime) {
    this.clientId = clientId;
    this.auth = { clientId };
    this.time = time;
    const state = (): ConnectionState => this.connectionState;
    this.connection = {
      id: "memory",
      get state() {
        return state();
      },
      on: (callback) => void this.onConnection.add(callback),
      off: (callback) => void this.onConnection.delete(callback),
      ping: () => (this.answersPings ? Promise.resolve(0) : new Promise(() => {})),
    };
    const channel = this.channel(channelName);
    this.channels = { get: () => channel };
  }

  connect(): void {
    this.changeTo("connected");
  }

  close(): void {
    this.changeTo("closed");
  }

  /** The other member acquires the leadership in a higher term. */
  electOther(): void {
    this.put(MemoryClient.OTHER, "enter", { v: 1, role: "L", term: 0, prio: 0, seq: 1 });
  }

  removeOther(): void {
    this.remove(MemoryClient.OTHER);
  }

  private changeTo(current: ConnectionState): void {
    const previous = this.connectionState;
    if (current === previous) return;
    this.connectionState = current;
    for (const callback of [...this.onConnection]) callback({ current, previous });
  }

  private put(clientId: string, action: "enter" | "update", data: unknown): void {
    const before = this.present.get(clientId)?.extras as unknown;
    const claims = (data as { role?: unknown }).role === "L";
    const extras = claims ? (before ?? { headers: { [TERM_HEADER]: ++this.term } }) : undefined;
    const message = { ...this.identity(clientId), action, data: structuredClone(data), extras } as PresenceMessage;
    this.present.set(clientId, message);
    this.send(message);
  }

  private remove(clientId: string): void {
    const message = this.present.get(clientId);
    if (message === undefined) return;
    this.present.delete(clientId);
    this.send({ ...message, ...this.identity(clientId), action: "leave" });
  }

  private send(message: PresenceMessage): void {
    for (const callback of [...this.onPresence]) callback(message);
  }

  /** The fields that the hub adds to each message. Each member has its own connection. */
  private identity(clientId: string): { id: string; clientId: string; connectionId: string; timestamp: number } {
    const connectionId = clientId === this.clientId ? "memory" : "other";
    return { id: `${connectionId}:${++this.serial}:0`, clientId, connectionId, timestamp: this.time.wallMillis() };
  }

  private channel(name: string): RealtimeChannel {
    let state: "initialized" | "attached" = "initialized";
    const onChannel = new Set<(change: ChannelStateChange) => void>();
    const onMessage = new Set<(message: InboundMessage) => void>();
    const presence: RealtimePresence = {
      get: async () => [...this.present.values()],
      subscribe: async (callback) => void this.onPresence.add(callback),
      unsubscribe: (callback) => void this.onPresence.delete(callback),
      enter: async (data) => this.put(this.clientId, "enter", data),
      update: async (data) => this.put(this.clientId, "update", data),
      leave: async () => this.remove(this.clientId),
    };
    return {
      name,
      get state() {
        return state;
      },
      presence,
      on: (callback) => void onChannel.add(callback),
      off: (callback) => void onChannel.delete(callback),
      attach: async () => {
        const previous = state;
        state = "attached";
        for (const callback of [...onChannel])
          callback({ current: state, previous, resumed: false, hasBacklog: false });
      },
      setOptions: async () => {},
      subscribe: async (callback) => void onMessage.add(callback),
      unsubscribe: (callback) => void onMessage.delete(callback),
      publish: async (message) => {
        const received = { ...structuredClone(message), ...this.identity(this.clientId) } as InboundMessage;
        for (const callback of [...onMessage]) callback(received);
      },
    };
  }
}
