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
 * A hub in memory with one channel. It rejects what a real hub would reject.
 *
 * It orders all messages and also echoes them to the sender. It grants claims and checks fences as docs/spec/claims.md
 * states. Each direction takes 5 ms and keeps the order.
 */
export class FakeHub {
  static readonly LATENCY_MILLIS = 5;
  readonly time: ManualTime;
  readonly history: InboundMessage[] = [];
  /** False: a service that speaks the protocol and does not grant claims. */
  grantsClaims = true;
  /** True: messages have an id, as on a real hub. */
  identify = false;
  private readonly clients = new Set<FakeClient>();
  private readonly present = new Map<string, Present>();
  private holder: { key: string; term: number; ttl: number; heardAt: number } | null = null;
  private lastTerm = 0;
  private connections = 0;
  private serial = 0;

  constructor(time: ManualTime) {
    this.time = time;
  }

  /** A client as the SDK creates it: not connected yet. */
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

  heard(client: FakeClient): void {
    if (this.holder?.key === client.key) this.holder.heardAt = this.time.monotonicMillis();
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
      this.holder = { key, term: ++this.lastTerm, ttl, heardAt: this.time.monotonicMillis() };
      this.watchHolder();
    } else if (!claims && this.holder?.key === key) this.holder = null;
    const extras = this.holder?.key === key ? { headers: { "doyen-term": this.holder.term } } : undefined;
    const message = this.presence(client, this.present.has(key) ? "update" : "enter", data, extras);
    this.present.set(key, { client, message });
    this.tell(message);
  }

  leave(client: FakeClient): void {
    const { key } = client;
    if (this.holder?.key === key) this.holder = null;
    const member = this.present.get(key);
    if (member === undefined) return;
    this.present.delete(key);
    this.tell(this.presence(client, "leave", member.message.data, undefined));
  }

  publish(client: FakeClient, message: Message): void {
    const term: unknown = (message.extras as { headers?: Record<string, unknown> } | undefined)?.headers?.[
      "doyen-term"
    ];
    if (this.grantsClaims && term !== undefined) {
      const { holder } = this;
      if (holder === null) throw new FakeError(40911, `fence ${term}: nobody leads "room" now`);
      if (holder.key !== client.key || holder.term !== term) {
        throw new FakeError(40911, `fence ${term} < ${holder.term}: another leads "room" in term ${holder.term}`);
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

  /** Ends the claim like a hub whose store has lost the lease (claims.md, C8). */
  endClaim(): void {
    const holder = this.holder;
    this.holder = null;
    const member = holder === null ? undefined : this.present.get(holder.key);
    if (member === undefined) return;
    const data = { ...(member.message.data as object), role: "F" };
    member.message = this.presence(member.client, "update", data, undefined);
    this.tell(member.message);
  }

  private watchHolder(): void {
    const { holder } = this;
    if (holder === null || holder.ttl === Infinity) return;
    this.time.after(holder.heardAt + holder.ttl - this.time.monotonicMillis(), () => {
      if (this.holder !== holder) return;
      if (this.time.monotonicMillis() < holder.heardAt + holder.ttl) this.watchHolder();
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

  private tell(message: PresenceMessage): void {
    for (const client of this.clients) client.later(() => client.gotPresence(message));
  }
}
