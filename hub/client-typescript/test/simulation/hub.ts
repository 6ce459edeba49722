import type { Member, MemberData } from "../../src/member.js";
import type { Random } from "./random.js";
import type { Timeline } from "./timeline.js";

export type ToClient =
  | { readonly type: "sync"; readonly members: readonly Member[] }
  | { readonly type: "member"; readonly action: "enter" | "update" | "leave"; readonly member: Member }
  | { readonly type: "ack"; readonly serial: number }
  | { readonly type: "nack"; readonly serial: number; readonly refused: boolean; readonly term: number | null }
  | { readonly type: "pong"; readonly id: number };

export type ToHub =
  | { readonly type: "attach" }
  | { readonly type: "put"; readonly serial: number; readonly data: MemberData; readonly reentry: boolean }
  | { readonly type: "leave"; readonly serial: number }
  | { readonly type: "ping"; readonly id: number };

const GRACE_MILLIS = 15_000;

/** The hub's side of one connection, which can use several sockets one after the other. */
export class Session {
  readonly key: string;
  readonly clientId: string;
  attached = false;
  ended = false;
  receivedAt = 0;
  /** The number of the current socket. Messages on an older socket never arrive. */
  socket = 0;
  lostAt: number | null = null;
  readonly answered = new Map<number, ToClient>();
  deliver: (message: ToClient, socket: number) => void = () => {};

  constructor(key: string, clientId: string) {
    this.key = key;
    this.clientId = clientId;
  }
}

/**
 * A model of a hub.
 *
 * The hub sends all messages to every attached session in the same order. The hub stores the member of a lost
 * session for a grace period. If `exclusive` is true, the hub grants claims according to docs/spec/claims.md, after a
 * delay for the store.
 */
export class ModelHub {
  lastTerm = 0;
  /** The number of claims that were rejected because the leadership was reserved for another client. */
  refusedForSuccessor = 0;
  /** The number of claims that were rejected because the former leader had perhaps not stopped yet. */
  refusedEarly = 0;
  private readonly sessions = new Set<Session>();
  private readonly members = new Map<string, Member>();
  private holder: { session: Session; ttlMillis: number; term: number } | null = null;
  /** The former holder whose claim a command ended, and the time at which the holder's ttl ends (C19). */
  private former: { session: Session; until: number } | null = null;
  private reserved: { successor: string; until: number } | null = null;
  private deciding: { session: Session; serial: number } | null = null;
  private readonly waiting: { session: Session; serial: number; data: MemberData }[] = [];
  private readonly time: Timeline;
  private readonly random: Random;
  private readonly exclusive: boolean;

  constructor(time: Timeline, random: Random, exclusive: boolean) {
    this.time = time;
    this.random = random;
    this.exclusive = exclusive;
  }

  open(session: Session): void {
    this.sessions.add(session);
    session.lostAt = null;
    session.receivedAt = this.time.now;
  }

  /** Handles a broken socket. The hub removes the member after the grace period, unless the session returns. */
  socketLost(session: Session): void {
    if (session.ended) return;
    const lostAt = (session.lostAt = this.time.now);
    session.attached = false;
    this.time.after(GRACE_MILLIS, () => {
      if (session.lostAt === lostAt) this.remove(session);
    });
  }

  /** Ends a connection that its client closed or that the hub has removed. */
  end(session: Session): void {
    this.remove(session);
    session.ended = true;
    this.sessions.delete(session);
  }

  receive(session: Session, message: ToHub): void {
    if (session.ended) return;
    session.receivedAt = this.time.now;
    switch (message.type) {
      case "attach":
        session.attached = true;
        return this.send(session, { type: "sync", members: [...this.members.values()] });
      case "ping":
        return this.send(session, { type: "pong", id: message.id });
      case "leave":
        this.received(session);
        this.remove(session);
        return this.answer(session, message.serial, { type: "ack", serial: message.serial });
      case "put": {
        const old = session.answered.get(message.serial);
        if (old !== undefined) return this.send(session, old);
        return this.put(session, message.serial, message.data, message.reentry);
      }
    }
  }

  private put(session: Session, serial: number, data: MemberData, reentry: boolean): void {
    const present = this.members.get(session.key);
    if (reentry && present !== undefined) return this.answer(session, serial, { type: "ack", serial });
    if (this.exclusive && data.role === "L" && this.holder?.session !== session)
      return this.claim(session, serial, data);
    if (data.role === "F") {
      this.release(session);
      this.received(session);
    }
    this.apply(session, data, this.holder?.session === session ? this.holder.term : null);
    this.answer(session, serial, { type: "ack", serial });
  }

  private claim(session: Session, serial: number, data: MemberData): void {
    if (this.holder !== null) return this.refuse(session, serial);
    if (this.former !== null && this.time.now < this.former.until) {
      this.refusedEarly++;
      return this.refuse(session, serial);
    }
    if (this.reserved !== null && this.time.now < this.reserved.until && session.clientId !== this.reserved.successor) {
      this.refusedForSuccessor++;
      return this.refuse(session, serial);
    }
    if (this.deciding !== null) {
      this.waiting.push({ session, serial, data });
      return;
    }
    const deciding = (this.deciding = { session, serial });
    this.time.after(this.random.between(1, 30), () => {
      if (this.deciding !== deciding) return;
      this.deciding = null;
      this.reserved = null;
      this.holder = { session, ttlMillis: data.ttl ?? Infinity, term: ++this.lastTerm };
      this.apply(session, data, this.lastTerm);
      this.answer(session, serial, { type: "ack", serial });
      this.watchHolder();
      this.nextClaim();
    });
  }

  private nextClaim(): void {
    const next = this.waiting.shift();
    if (next === undefined) return;
    if (next.session.ended) return this.nextClaim();
    this.claim(next.session, next.serial, next.data);
    if (this.deciding === null) this.nextClaim();
  }

  private refuse(session: Session, serial: number): void {
    this.answer(session, serial, { type: "nack", serial, refused: true, term: this.lastTerm });
  }

  /** Ends the claim if the holder sends no frame for one ttl (C7). */
  private watchHolder(): void {
    const holder = this.holder;
    if (holder === null || holder.ttlMillis === Infinity) return;
    const due = holder.session.receivedAt + holder.ttlMillis;
    this.time.at(due, () => {
      if (this.holder !== holder) return;
      if (this.time.now < holder.session.receivedAt + holder.ttlMillis) return this.watchHolder();
      this.demote(holder.session, null);
    });
  }

  /** Transfers the leadership to a client that is present, as an admin command does (C16). */
  transfer(successor: string): void {
    const { holder } = this;
    if (holder === null || ![...this.members.values()].some((member) => member.clientId === successor)) return;
    const former = { session: holder.session, until: holder.session.receivedAt + holder.ttlMillis };
    this.former = former;
    this.reserved = { successor, until: former.until + holder.ttlMillis / 2 };
    this.demote(holder.session, successor);
  }

  /**
   * Handles the former holder's confirmation that it has stopped. The time that is reserved for the successor begins
   * now (C19).
   */
  private received(session: Session): void {
    const { former, reserved } = this;
    if (former?.session !== session || this.time.now >= former.until) return;
    this.former = null;
    if (reserved !== null) this.reserved = { ...reserved, until: this.time.now + reserved.until - former.until };
  }

  private demote(session: Session, successor: string | null): void {
    this.holder = null;
    const member = this.members.get(session.key);
    if (member === undefined) return;
    const follower: Member = {
      ...member,
      role: "F",
      stamped: null,
      order: Math.floor(this.time.now),
      ended: { successor },
    };
    this.members.set(member.key, follower);
    this.broadcast({ type: "member", action: "update", member: follower });
  }

  private release(session: Session): void {
    if (this.holder?.session === session) this.holder = null;
    if (this.deciding?.session === session) {
      const { serial } = this.deciding;
      this.deciding = null;
      this.answer(session, serial, { type: "nack", serial, refused: false, term: null });
      this.nextClaim();
    }
    for (let i = this.waiting.length - 1; i >= 0; i--) {
      const one = this.waiting[i]!;
      if (one.session !== session) continue;
      this.waiting.splice(i, 1);
      this.answer(session, one.serial, { type: "nack", serial: one.serial, refused: false, term: null });
    }
  }

  private remove(session: Session): void {
    this.release(session);
    const member = this.members.get(session.key);
    if (member === undefined) return;
    this.members.delete(session.key);
    const left = { ...member, order: Math.floor(this.time.now) };
    this.broadcast({ type: "member", action: "leave", member: left }, session);
  }

  private apply(session: Session, data: MemberData, stamped: number | null): void {
    const member: Member = {
      key: session.key,
      clientId: session.clientId,
      order: Math.floor(this.time.now),
      role: data.role,
      term: data.term,
      stamped,
      prio: data.prio,
      elig: data.elig !== false,
      seq: data.seq,
    };
    const action = this.members.has(session.key) ? "update" : "enter";
    this.members.set(session.key, member);
    this.broadcast({ type: "member", action, member }, session);
  }

  private answer(session: Session, serial: number, answer: ToClient): void {
    session.answered.set(serial, answer);
    this.send(session, answer);
  }

  /** Sends a message to all attached sessions, and to session `about` even if that session is not attached. */
  private broadcast(message: ToClient, about?: Session): void {
    for (const session of this.sessions) if (session.attached || session === about) this.send(session, message);
  }

  private send(session: Session, message: ToClient): void {
    if (session.lostAt === null) session.deliver(message, session.socket);
  }
}
