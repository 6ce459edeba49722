import type { InboundMessage, Message, PresenceMessage } from "ably";
import type { RealtimeClient } from "../../src/realtime.js";
import { FakeClient } from "./client.js";
import type { ManualTime } from "./time.js";

interface Present {
  readonly client: FakeClient;
  message: PresenceMessage;
}

export class FakeError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * A hub in memory with one channel. The hub orders all messages, and also echoes them to the sender. The hub grants
 * claims of the leader slot and checks their fences, as docs/spec/claims.md requires.
 *
 * A message needs 5 ms in each direction, and messages keep their order.
 */
export class FakeHub {
  static readonly LATENCY_MILLIS = 5;
  readonly time: ManualTime;
  readonly history: InboundMessage[] = [];
  /** False for a service that implements the protocol but does not grant claims. */
  grantsClaims = true;
  /** True if messages have an id, as on a real hub. */
  identify = false;
  private readonly clients = new Set<FakeClient>();
  private readonly present = new Map<string, Present>();
  private holder: { key: string; term: number; ttl: number; receivedAt: number } | null = null;
  private lastTerm = 0;
  private connections = 0;
  private serial = 0;

  constructor(time: ManualTime) {
    this.time = time;
  }

  /** Returns a client that is not connected yet, like a new client of the SDK. */
  client(clientId: string): RealtimeClient & FakeClient {
    return new FakeClient(this, clientId);
  }

  newConnectionId(): string {
    return `conn${++this.connections}`;
  }

  attach(client: FakeClient): { members: PresenceMessage[]; backlog: InboundMessage[] } {
    this.clients.add(client);
    const rewind = Number(client.channelParams["rewind"] ?? 0);
    return { members: this.members(), backlog: rewind === 0 ? [] : this.history.slice(-rewind) };
  }

  forget(client: FakeClient): void {
    this.clients.delete(client);
    this.leave(client);
  }

  received(client: FakeClient): void {
    if (this.holder?.key === client.key) this.holder.receivedAt = this.time.monotonicMillis();
  }

  members(): PresenceMessage[] {
    return [...this.present.values()].map((one) => ({ ...one.message, action: "present" as const }));
  }

  put(client: FakeClient, data: unknown): void {
    const { key } = client;
    const claims = data === "leader" || (data as { role?: unknown } | null)?.role === "L";
    if (this.grantsClaims && claims && this.holder?.key !== key) {
      if (this.holder !== null) {
        const name = this.present.get(this.holder.key)?.message.clientId;
        throw new FakeError(40910, `claim on "room" is held by "${name}" in term ${this.holder.term}`);
      }
      const ttl = (data as { ttl?: number }).ttl ?? Infinity;
      this.holder = { key, term: ++this.lastTerm, ttl, receivedAt: this.time.monotonicMillis() };
      this.watchHolder();
    } else if (!claims && this.holder?.key === key) this.holder = null;
    const extras = this.holder?.key === key ? { headers: { "doyen-term": this.holder.term } } : undefined;
    const message = this.presence(client, this.present.has(key) ? "update" : "enter", data, extras);
    this.present.set(key, { client, message });
    this.broadcast(message);
  }

  leave(client: FakeClient): void {
    const { key } = client;
    if (this.holder?.key === key) this.holder = null;
    const member = this.present.get(key);
    if (member === undefined) return;
    this.present.delete(key);
    this.broadcast(this.presence(client, "leave", member.message.data, undefined));
  }

  publish(client: FakeClient, message: Message): void {
    const term: unknown = (message.extras as { headers?: Record<string, unknown> } | undefined)?.headers?.[
      "doyen-term"
    ];
    if (this.grantsClaims && term !== undefined) {
      const { holder } = this;
      if (holder === null) throw new FakeError(40911, `fence ${term}: nobody leads "room" now`);
      if (holder.key !== client.key || holder.term !== term) {
        const name = this.present.get(holder.key)?.message.clientId;
        throw new FakeError(40911, `fence ${term} < ${holder.term}: "${name}" leads "room" in term ${holder.term}`);
      }
    }
    const sender = { clientId: client.clientId, connectionId: client.connection.id };
    const inbound = { ...message, ...sender, ...this.identity(), timestamp: this.time.wallMillis() } as InboundMessage;
    this.history.push(inbound);
    for (const other of this.clients) other.later(() => other.gotMessage(inbound));
  }

  private identity(): { id?: string } {
    return this.identify ? { id: `message${++this.serial}` } : {};
  }

  /**
   * Ends the claim, as a hub does after a silence of the holder, or after the hub's store has lost the lease
   * (claims.md, C8).
   */
  endClaim(): void {
    const holder = this.holder;
    this.holder = null;
    const member = holder === null ? undefined : this.present.get(holder.key);
    if (member === undefined) return;
    const data = { ...(member.message.data as object), role: "F" };
    member.message = this.presence(member.client, "update", data, undefined);
    this.broadcast(member.message);
  }

  private watchHolder(): void {
    const { holder } = this;
    if (holder === null || holder.ttl === Infinity) return;
    this.time.after(holder.receivedAt + holder.ttl - this.time.monotonicMillis(), () => {
      if (this.holder !== holder) return;
      if (this.time.monotonicMillis() < holder.receivedAt + holder.ttl) this.watchHolder();
      else this.endClaim();
    });
  }

  private presence(
    client: FakeClient,
    action: PresenceMessage["action"],
    data: unknown,
    extras: unknown,
  ): PresenceMessage {
    return {
      action,
      clientId: client.clientId,
      connectionId: client.connection.id ?? "",
      data: structuredClone(data),
      encoding: "",
      extras,
      id: `${client.connection.id}:${++this.serial}:0`,
      timestamp: this.time.wallMillis(),
    };
  }

  private broadcast(message: PresenceMessage): void {
    for (const client of this.clients) client.later(() => client.gotPresence(message));
  }
}
