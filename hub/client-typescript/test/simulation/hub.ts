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

/** The hub's side of one connection. It outlives its sockets. */
export class Session {
  readonly key: string;
  readonly clientId: string;
  attached = false;
  ended = false;
  heardAt = 0;
  /** Number of the current socket. Messages on an older socket never arrive. */
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
 * It orders all messages, sends them to every attached session in that order, and keeps the member of a lost session
 * for a grace. If `exclusive` is true, it grants claims as docs/spec/claims.md states, through a store that takes time.
 */
export class ModelHub {
  lastTerm = 0;
  /** Number of claims rejected because the leadership was reserved for another client. */
  refusedForSuccessor = 0;
  /** Number of claims rejected because the former leader might not have stopped yet. */
  refusedEarly = 0;
  private readonly sessions = new Set<Session>();
  private readonly members = new Map<string, Member>();
  private holder: { session: Session; ttlMillis: number; term: number } | null = null;
  /** C19: the former holder whose claim a command ended, and when its promise ends. */
  private silence: { session: Session; until: number } | null = null;
  private kept: { successor: string; until: number } | null = null;
  private asking: { session: Session; serial: number } | null = null;
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
    session.heardAt = this.time.now;
  }

  /** The socket broke. The member is removed after the grace, unless the session comes back. */
  socketLost(session: Session): void {
    if (session.ended) return;
    const lostAt = (session.lostAt = this.time.now);
    session.attached = false;
    this.time.after(GRACE_MILLIS, () => {
      if (session.lostAt === lostAt) this.remove(session);
    });
  }

  /** The connection has ended: its client closed it, or the hub has forgotten it. */
  end(session: Session): void {
    this.remove(session);
    session.ended = true;
    this.sessions.delete(session);
  }

  receive(session: Session, message: ToHub): void {
    if (session.ended) return;
    session.heardAt = this.time.now;
    switch (message.type) {
      case "attach":
        session.attached = true;
        return this.send(session, { type: "sync", members: [...this.members.values()] });
      case "ping":
        return this.send(session, { type: "pong", id: message.id });
      case "leave":
        this.heard(session);
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
      this.heard(session);
    }
    this.apply(session, data, this.holder?.session === session ? this.holder.term : null);
    this.answer(session, serial, { type: "ack", serial });
  }

  private claim(session: Session, serial: number, data: MemberData): void {
    if (this.holder !== null) return this.refuse(session, serial);
    if (this.silence !== null && this.time.now < this.silence.until) {
      this.refusedEarly++;
      return this.refuse(session, serial);
    }
    if (this.kept !== null && this.time.now < this.kept.until && session.clientId !== this.kept.successor) {
      this.refusedForSuccessor++;
      return this.refuse(session, serial);
    }
    if (this.asking !== null) {
      this.waiting.push({ session, serial, data });
      return;
    }
    const asking = (this.asking = { session, serial });
    this.time.after(this.random.between(1, 30), () => {
      if (this.asking !== asking) return;
      this.asking = null;
      this.kept = null;
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
    if (this.asking === null) this.nextClaim();
  }

  private refuse(session: Session, serial: number): void {
    this.answer(session, serial, { type: "nack", serial, refused: true, term: this.lastTerm });
  }

  /** C7: the claim ends if the holder sends no frame for one ttl. */
  private watchHolder(): void {
    const holder = this.holder;
    if (holder === null || holder.ttlMillis === Infinity) return;
    const due = holder.session.heardAt + holder.ttlMillis;
    this.time.at(due, () => {
      if (this.holder !== holder) return;
      if (this.time.now < holder.session.heardAt + holder.ttlMillis) return this.watchHolder();
      this.demote(holder.session, null);
    });
  }

  /** C16: an admin's transfer to a client that is present. */
  transfer(successor: string): void {
    const { holder } = this;
    if (holder === null || ![...this.members.values()].some((member) => member.clientId === successor)) return;
    const silence = { session: holder.session, until: holder.session.heardAt + holder.ttlMillis };
    this.silence = silence;
    this.kept = { successor, until: silence.until + holder.ttlMillis / 2 };
    this.demote(holder.session, successor);
  }

  /** C19: the former holder has confirmed, so the successor's time begins. */
  private heard(session: Session): void {
    const { silence, kept } = this;
    if (silence?.session !== session || this.time.now >= silence.until) return;
    this.silence = null;
    if (kept !== null) this.kept = { ...kept, until: this.time.now + kept.until - silence.until };
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
    this.tell({ type: "member", action: "update", member: follower });
  }

  private release(session: Session): void {
    if (this.holder?.session === session) this.holder = null;
    if (this.asking?.session === session) {
      const { serial } = this.asking;
      this.asking = null;
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
    this.tell({ type: "member", action: "leave", member: { ...member, order: Math.floor(this.time.now) } }, session);
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
    this.tell({ type: "member", action, member }, session);
  }

  private answer(session: Session, serial: number, answer: ToClient): void {
    session.answered.set(serial, answer);
    this.send(session, answer);
  }

  /** Sends to all attached sessions, and always to the member itself. */
  private tell(message: ToClient, about?: Session): void {
    for (const session of this.sessions) if (session.attached || session === about) this.send(session, message);
  }

  private send(session: Session, message: ToClient): void {
    if (session.lostAt === null) session.deliver(message, session.socket);
  }
}
