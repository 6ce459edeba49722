import type { Member, MemberData } from "../../src/member.js";
import type * as RankingModule from "../../src/ranking.js";
import type { Effect, Input, Moment, Settings, State } from "../../src/ranking.js";
import { Session, type ModelHub, type ToClient, type ToHub } from "./hub.js";
import type { Random } from "./random.js";
import type { Timeline } from "./timeline.js";

/** The functions of the machine under test, which is the real machine or a mutant. */
export type Ranking = Pick<typeof RankingModule, "initial" | "step" | "leads">;

/**
 * A simulated page. The page consists of the machine, a driver on simulated time, and the SDK. After a reconnect, the
 * SDK enters the presence set again by itself.
 */
export class ModelClient {
  readonly id: string;
  state: State;
  killed = false;
  closed = false;
  private frozen = false;
  private session: Session | null = null;
  private up = false;
  private connections = 0;
  private serial = 0;
  private lastArrival = { up: 0, down: 0 };
  private readonly unanswered = new Map<number, { message: ToHub; seq: number | null }>();
  /** The member data with which the SDK enters again after a reconnect. */
  private remembered: MemberData | null = null;
  private readonly pings = new Map<number, Moment>();
  private held: (() => void)[] = [];
  private timerId = 0;
  private readonly clockRate: number;
  private readonly clockOrigin: number;
  /**
   * The time at which the wall clock is set back. If this field is null, a freeze can suspend the computer instead,
   * which stops the monotonic clock. No page has both faults.
   */
  private readonly wallSetBackAt: number | null;
  private suspendedAt: number | null = null;
  private suspendedMillis = 0;
  private readonly time: Timeline;
  private readonly hub: ModelHub;
  private readonly random: Random;
  private readonly ranking: Ranking;

  constructor(id: string, settings: Settings, time: Timeline, hub: ModelHub, random: Random, ranking: Ranking) {
    this.id = id;
    this.time = time;
    this.hub = hub;
    this.random = random;
    this.ranking = ranking;
    this.state = ranking.initial(settings);
    this.clockRate = random.between(0.95, 1.05);
    this.clockOrigin = random.between(0, 1e6);
    this.wallSetBackAt = random.chance(0.5) ? random.between(0, 60_000) : null;
  }

  get alive(): boolean {
    return !this.killed && !this.closed;
  }

  /** Returns true if the client acts as the leader now, by its own clock. */
  get leads(): boolean {
    return !this.killed && this.ranking.leads(this.state, this.moment());
  }

  connect(): void {
    const session = new Session(`${this.id}-${++this.connections}:${this.id}`, this.id);
    this.session = session;
    this.openSocket(session);
  }

  /**
   * Breaks the line. The connection loses all messages in both directions. Each side detects the loss by its own
   * timeout.
   */
  cut(backAfterMillis: number, forgotten: boolean): void {
    const { session } = this;
    if (session === null || !this.up || !this.alive) return;
    this.up = false;
    const socket = session.socket++;
    this.time.after(this.random.between(0, 2000), () => {
      if (session.socket === socket + 1) this.hub.socketLost(session);
    });
    this.time.after(this.random.between(0, Math.min(backAfterMillis, 10_000)), () =>
      this.feed({ type: "disconnected" }),
    );
    this.time.after(backAfterMillis, () => this.comeBack(session, forgotten));
  }

  freeze(millis: number, warned: boolean): void {
    if (!this.alive || this.frozen) return;
    if (warned) this.feed({ type: "freeze" });
    this.frozen = true;
    if (this.wallSetBackAt === null && this.random.chance(0.5)) this.suspendedAt = this.time.now;
    this.time.after(millis, () => {
      this.frozen = false;
      if (this.suspendedAt !== null) this.suspendedMillis += this.time.now - this.suspendedAt;
      this.suspendedAt = null;
      const held = this.held;
      this.held = [];
      if (warned) this.feed({ type: "thaw" });
      for (const run of held) run();
    });
  }

  kill(): void {
    this.killed = true;
    const { session } = this;
    if (session !== null && this.up) {
      session.socket++;
      this.time.after(this.random.between(0, 500), () => this.hub.socketLost(session));
    }
  }

  resign(): void {
    this.feed({ type: "resign" });
  }

  close(): void {
    if (!this.alive) return;
    this.feed({ type: "close" });
    this.closed = true;
    const { session } = this;
    if (session !== null && this.up) this.time.after(this.random.between(100, 200), () => this.hub.end(session));
  }

  private comeBack(session: Session, forgotten: boolean): void {
    if (this.killed || this.session !== session) return;
    // A page that was closed while its connection was cut reconnects only to end its session.
    if (this.closed) return this.hub.end(session);
    if (!forgotten) return this.openSocket(session);
    // The hub has removed the connection, so the page opens a new one. The hub removes the old connection's member up
    // to 20 s later.
    this.unanswered.clear();
    this.pings.clear();
    this.time.after(this.random.between(0, 20_000), () => this.hub.end(session));
    this.connect();
  }

  private openSocket(session: Session): void {
    this.up = true;
    const socket = ++session.socket;
    session.deliver = (message, on) => {
      if (on !== socket || session.socket !== socket) return;
      this.lastArrival.down = Math.max(this.lastArrival.down, this.time.now + this.latency());
      this.time.at(this.lastArrival.down, () => {
        if (session.socket === socket && this.session === session) this.awake(() => this.receive(message));
      });
    };
    this.hub.open(session);
    this.awake(() => {
      this.feed({ type: "connected", key: session.key });
      this.feed({ type: "syncStarted" });
    });
    this.send({ type: "attach" });
    for (const { message } of this.unanswered.values()) this.send(message);
    // The SDK enters again with the remembered data, sometimes after the page's own writes.
    const again = this.remembered;
    if (again !== null) {
      this.time.after(this.random.chance(0.5) ? 0 : 50, () => {
        if (session.socket === socket) this.send({ type: "put", serial: ++this.serial, data: again, reentry: true });
      });
    }
  }

  private receive(message: ToClient): void {
    switch (message.type) {
      case "sync":
        return this.feed({ type: "syncComplete", members: message.members });
      case "member":
        if (message.member.key === this.session?.key && message.action !== "leave") this.remember(message.member);
        return this.feed({ type: "member", action: message.action, member: message.member });
      case "pong": {
        const sent = this.pings.get(message.id);
        this.pings.delete(message.id);
        if (sent !== undefined) this.feed({ type: "pingAnswered", sent });
        return;
      }
      case "ack":
      case "nack": {
        const seq = this.unanswered.get(message.serial)?.seq ?? null;
        this.unanswered.delete(message.serial);
        if (seq === null) return;
        if (message.type === "ack") return this.feed({ type: "acked", seq });
        return this.feed(message.refused ? { type: "refused", seq, term: message.term } : { type: "failed", seq });
      }
    }
  }

  private remember(member: Member): void {
    const { role, term, prio, seq, elig } = member;
    const ttl = role === "L" ? { ttl: this.state.settings.ttlMillis } : {};
    this.remembered = { v: 1, role, term, prio, seq: seq ?? 0, ...(elig ? {} : { elig: false }), ...ttl };
  }

  private feed(input: Input): void {
    if (this.killed) return;
    const at = this.moment();
    const { state, effects, wakeAt } = this.ranking.step(this.state, at, input);
    this.state = state;
    const id = ++this.timerId;
    if (wakeAt !== null) {
      const wait = Math.max(0, (wakeAt - at.now) / this.clockRate) + 0.01;
      this.time.after(wait, () => this.awake(() => id === this.timerId && this.feed({ type: "tick" })));
    }
    for (const effect of effects) this.carryOut(effect);
  }

  private carryOut(effect: Effect): void {
    const { prio, ttlMillis } = this.state.settings;
    switch (effect.type) {
      case "follow": {
        const elig = effect.elig ? {} : { elig: false as const };
        return this.put({ v: 1, role: "F", term: effect.term, prio, seq: effect.seq, ...elig });
      }
      case "claim":
        return this.put({ v: 1, role: "L", term: effect.term, prio, seq: effect.seq, ttl: ttlMillis });
      case "leave": {
        this.remembered = null;
        const message: ToHub = { type: "leave", serial: ++this.serial };
        this.unanswered.set(this.serial, { message, seq: null });
        return this.send(message);
      }
      case "ping": {
        const id = ++this.serial;
        this.pings.set(id, this.moment());
        return this.send({ type: "ping", id });
      }
      case "startWork":
      case "stopWork":
      case "leader":
        return;
    }
  }

  private put(data: MemberData): void {
    const message: ToHub = { type: "put", serial: ++this.serial, data, reentry: false };
    this.unanswered.set(this.serial, { message, seq: data.seq });
    this.send(message);
  }

  private send(message: ToHub): void {
    const { session } = this;
    if (session === null || !this.up) return;
    const { socket } = session;
    this.lastArrival.up = Math.max(this.lastArrival.up, this.time.now + this.latency());
    this.time.at(this.lastArrival.up, () => {
      if (session.socket === socket) this.hub.receive(session, message);
    });
  }

  private latency(): number {
    return this.random.chance(0.02) ? this.random.between(100, 800) : this.random.between(2, 60);
  }

  private awake(run: () => void): void {
    if (this.frozen) this.held.push(run);
    else run();
  }

  private moment(): Moment {
    const awake = (this.suspendedAt ?? this.time.now) - this.suspendedMillis;
    const setBack = this.wallSetBackAt !== null && this.time.now >= this.wallSetBackAt ? 3_600_000 : 0;
    return {
      now: this.clockOrigin + awake * this.clockRate,
      wall: 1.7e12 + this.time.now * this.clockRate - setBack,
    };
  }
}
