import { newClient, ping } from "#sdk";
import type { Checkpoint, Leadership, Listener, LossReason, Register, SwarmLeader, SwarmStatus } from "@doyen/tabs/api";
import type { ConnectionStateChange, InboundMessage } from "ably";
import { BaseSwarm, type AnySwarm, type SwarmMember } from "./any-swarm.js";
import { CHECKPOINT, Checkpoints } from "./checkpoints.js";
import { AGAIN_MILLIS, momentOf, settledWithin, type Clock } from "./clock.js";
import { CLAIM_REFUSED, FENCE_REFUSED, hasCode, NotLeadingError, termInRefusal } from "./errors.js";
import { guarded, Hook, reporter } from "./hook.js";
import { HubMember, LEAVE_MILLIS, type HubMemberEvents } from "./hub-member.js";
import { HubLeadership, type TermActions } from "./leadership.js";
import { withinLimits, type ConnectLimits } from "./limits.js";
import { compareRank, memberKey, readMember, stampedTerm, TERM_HEADER, type MemberData } from "./member.js";
import { clockOf, connectionOf, rewindOf, settingsOf, type SwarmOptions } from "./options.js";
import { OutageReporter, type Outage } from "./outage.js";
import {
  initial,
  leads,
  remainingMillis,
  step,
  type Effect,
  type Input,
  type LeaderView,
  type Moment,
  type State,
} from "./ranking.js";
import type { RealtimeChannel } from "./realtime.js";

const CLOSED = "this swarm was closed; create another one to rejoin";

/**
 * Joins a channel as one member and takes part in the channel's election.
 *
 * On a Doyen hub, at most one member leads at any time if clock rates differ by less than 10 %. Terms only rise, and
 * the hub rejects messages of an old leader.
 *
 * Other services that implement Ably's protocol grant no claims. On such a service the members write the terms
 * themselves, and a channel that was empty starts again at term 1. Two members can lead while their messages are in
 * transit. The service accepts an old leader's message, and only `subscribe` drops it.
 *
 * Check `isLeader` before each act, and use the term as a fence.
 *
 * The constructor throws on invalid settings. `connect` rejects if the channel cannot be attached. `onError`
 * receives each outage once, and errors that belong to no call.
 *
 * This class runs the machine in `ranking.ts`, which makes all decisions by the rules of docs/spec/ranking.md. The
 * class is long because the public API, the inputs and the effects share one state.
 */
export class Swarm extends BaseSwarm implements AnySwarm {
  private readonly hubMember: HubMember;
  private readonly outage: OutageReporter;
  private readonly clock: Clock;
  private readonly rewind: number;
  private readonly onError: (error: unknown) => void;
  private readonly checkpoints: Checkpoints;
  private readonly connection: Hook<RealtimeChannel>;
  private readonly messageListeners = new Set<(message: InboundMessage) => void>();
  private readonly actions: TermActions;

  private state: State;
  private readonly inputs: Input[] = [];
  private busy = false;
  private cancelWake = (): void => {};
  private held: HubLeadership | null = null;
  /**
   * Settles when the work of the last leadership has stopped. Until then the swarm writes no presence data, except that
   * a page that freezes leaves the channel at once.
   */
  private stopped: Promise<unknown> | null = null;
  private left: Promise<unknown> = Promise.resolve();
  private ended: Promise<void> | null = null;
  private messageTerm = 0;

  /** Only a `TabSwarm` passes `outage`. It passes the same object to each of its swarms. */
  constructor(channelName: string, options: SwarmOptions, outage?: Outage) {
    const settings = settingsOf(options);
    const report = reporter(options.onError);
    super(report);
    this.clock = clockOf(options);
    this.rewind = rewindOf(options);
    this.onError = report;
    const own = options.client === undefined ? connectionOf(channelName, options) : null;
    const client = options.client ?? newClient(own ?? {});
    this.hubMember = new HubMember(channelName, client, own !== null);
    this.outage = new OutageReporter(client, own, report, outage);
    this.checkpoints = new Checkpoints(this.rewind);
    // Start from the wall clock, so that a second swarm on the same connection never repeats a number of the first
    // swarm (K2).
    this.state = initial(settings, Math.floor(this.clock.wallMillis()));
    this.actions = {
      publishIn: (term, name, data) => this.publishIn(term, name, data),
      checkpointIn: (term, state) => this.checkpointIn(term, state),
      remainingMillisIn: (term) => (this.leadsIn(term) ? remainingMillis(this.state, this.moment()) : 0),
    };
    this.connection = new Hook<RealtimeChannel>(report);
  }

  /** Called with the channel at its first attach, before its first message. Subscribe to messages in this listener. */
  get onConnection(): Register<RealtimeChannel> {
    return this.connection.register;
  }
  set onConnection(listener: Listener<RealtimeChannel> | null) {
    this.connection.assign(listener);
  }

  get id(): string {
    return this.hubMember.id;
  }

  get isLeader(): boolean {
    return leads(this.state, this.moment());
  }

  get remainingMillis(): number {
    return remainingMillis(this.state, this.moment());
  }

  get leadership(): Leadership | null {
    return this.isLeader ? this.held : null;
  }

  get leader(): SwarmLeader | null {
    return this.describe(this.state.shown);
  }

  get members(): SwarmMember[] {
    const { members, shown, key } = this.state;
    const ranked = [...members.values()].sort(
      (a, b) => Number(b.key === shown?.key) - Number(a.key === shown?.key) || compareRank(a, b),
    );
    return ranked.map((member) => ({
      id: member.clientId,
      key: member.key,
      leader: member.key === shown?.key,
      self: member.key === key,
      priority: member.prio,
      eligible: member.elig,
    }));
  }

  get status(): SwarmStatus {
    const { phase, connected, synced } = this.state;
    return this.hubMember.status(phase === "closed", connected && synced);
  }

  /** Connects, attaches the channel and takes part in the election. Resolves when the channel is attached. */
  connect(limits: ConnectLimits = {}): Promise<void> {
    return withinLimits(
      this.clock,
      limits,
      this.outage.address,
      () => this.join(),
      () => this.close(),
    );
  }

  async publish(name: string, data?: unknown): Promise<void> {
    const { leadingTerm, lastLedTerm } = this.state;
    if (leadingTerm === null) throw new NotLeadingError("publish", lastLedTerm || null);
    return this.publishIn(leadingTerm, name, data);
  }

  async checkpoint(state: unknown): Promise<void> {
    const { leadingTerm, lastLedTerm } = this.state;
    if (leadingTerm === null) throw new NotLeadingError("checkpoint", lastLedTerm || null);
    return this.checkpointIn(leadingTerm, state);
  }

  async send(name: string, data?: unknown): Promise<void> {
    await this.hubMember.channel.publish({ name, data });
  }

  subscribe(listener: (message: InboundMessage) => void): () => void {
    this.messageListeners.add(listener);
    return () => this.messageListeners.delete(listener);
  }

  resign(): void {
    this.feed({ type: "resign" });
  }

  /**
   * Resigns, leaves the channel, and closes the connection if the swarm opened it.
   *
   * A closed swarm cannot connect again. If this member leads, `onDemotion` receives the reason.
   */
  close(reason: LossReason = "closed"): Promise<void> {
    // Run `end` in a microtask. If a listener calls `close`, the current step sets `left` only after the listener
    // returns.
    this.ended ??= Promise.resolve().then(() => this.end());
    this.outage.closed = true;
    this.reject(new Error(CLOSED));
    this.feed({ type: "close", reason });
    return this.ended;
  }

  private async end(): Promise<void> {
    await this.left;
    this.cancelWake();
    this.hubMember.close();
  }

  private async join(): Promise<void> {
    if (this.ended !== null) throw new Error(CLOSED);
    if (this.hubMember.open(this.handlers())) void this.attach();
    return this.ready;
  }

  private async attach(): Promise<void> {
    const { channel } = this.hubMember;
    try {
      if (channel.state === "attached") return this.attached();
      await channel.setOptions({ params: { rewind: String(this.rewind) } });
      await channel.attach();
    } catch (error) {
      // The SDK attaches a suspended channel again.
      if (channel.state === "suspended") return;
      this.outage.failed(2, error);
      this.reject(error);
    }
  }

  // -- Events become inputs

  private handlers(): HubMemberEvents {
    return {
      connection: (change) => this.connectionChanged(change),
      channel: (change) => this.channelChanged(change),
      presence: (message) => {
        const action = message.action as "enter" | "update" | "present" | "leave";
        this.feed({ type: "member", action, member: readMember(message) });
        this.presence.emit(this.members);
      },
      message: (message) => this.received(message),
      frozen: () => this.feed({ type: "freeze" }),
      thawed: () => this.feed({ type: "thaw" }),
      gone: () => void this.close(),
    };
  }

  private connectionChanged(change: ConnectionStateChange): void {
    const now = change.current;
    this.outage.connectionChanged(change);
    if (now === "connected") this.feed({ type: "connected", key: this.key() });
    else if (now === "closing" || now === "closed" || now === "failed") this.feed({ type: "detached" });
    else this.feed({ type: "disconnected" });
  }

  private channelChanged({ current, resumed, reason }: { current: string; resumed: boolean; reason?: unknown }): void {
    if (current === "attached") {
      // If `resumed` is true, the SDK only reports that it failed to enter the member again. The machine writes the
      // data in any case (K12).
      if (!resumed || !this.state.synced) this.attached();
    } else if (current === "attaching") this.feed({ type: "syncStarted" });
    else {
      const failed = current === "failed";
      if (failed || current === "suspended") this.outage.failed(failed ? 2 : 1, reason);
      this.feed({ type: "detached" });
      if (failed) this.reject(reason);
    }
  }

  private attached(): void {
    this.outage.ended();
    this.resolve();
    this.feed({ type: "connected", key: this.key() });
    this.feed({ type: "syncStarted" });
    if (!this.hubMember.greeted) {
      this.hubMember.greeted = true;
      this.connection.emit(this.hubMember.channel);
    }
    this.hubMember.sync((present) => {
      this.feed({ type: "syncComplete", members: present.map(readMember) });
      this.presence.emit(this.members);
    }, this.onError);
  }

  private received(message: InboundMessage): void {
    this.checkpoints.observe(message, this.clock.monotonicMillis());
    this.renewCheckpoint();
    const term = stampedTerm(message.extras);
    if (term !== null && term < this.messageTerm) return;
    this.messageTerm = Math.max(this.messageTerm, term ?? 0);
    for (const listener of [...this.messageListeners]) guarded(this.onError, () => listener(message));
  }

  // -- The loop: one input at a time, with one reading of the clocks each

  /** Processes an input, or adds it to the queue during a step. Only a `FakeSwarm` also calls this method. */
  protected feed(input: Input): void {
    this.inputs.push(input);
    if (this.busy) return;
    this.busy = true;
    try {
      for (let next = this.inputs.shift(); next !== undefined; next = this.inputs.shift()) this.take(next);
    } finally {
      this.busy = false;
    }
    this.showStatus();
  }

  /** Processes one input. If the machine fails, the input is lost, and a tick follows after `AGAIN_MILLIS`. */
  private take(input: Input): void {
    try {
      this.advance(input);
    } catch (error) {
      this.onError(error);
      this.cancelWake();
      this.cancelWake = this.clock.after(AGAIN_MILLIS, () => this.feed({ type: "tick" }));
    }
  }

  private advance(input: Input): void {
    const at = this.moment();
    const spareMillis = remainingMillis(this.state, at);
    const { state, effects, wakeAt } = step(this.state, at, input);
    this.state = state;
    this.cancelWake();
    this.cancelWake =
      wakeAt === null ? () => {} : this.clock.after(Math.max(0, wakeAt - at.now), () => this.feed({ type: "tick" }));
    for (const effect of effects) guarded(this.onError, () => this.carryOut(effect, spareMillis));
  }

  private carryOut(effect: Effect, spareMillis: number): void {
    switch (effect.type) {
      case "follow":
        return this.write(effect.seq, this.data("F", effect.seq, effect.term, effect.elig));
      case "claim":
        return this.write(effect.seq, this.data("L", effect.seq, effect.term, true));
      case "leave":
        return this.leave();
      case "ping":
        return this.ping();
      case "startWork":
        this.held = new HubLeadership(effect.term, this.checkpoints.greatest, this.actions);
        this.hooks.election.emit(this.held);
        return;
      case "stopWork":
        return this.stopWork(effect.reason, spareMillis);
      case "leader":
        this.hooks.leader.emit(this.describe(effect.leader));
        return;
    }
  }

  private stopWork(reason: LossReason, spareMillis: number): void {
    this.held?.finish(reason);
    this.held = null;
    // Do not wait for a listener that only closes the swarm, because it has no work to stop.
    const results = this.hooks.demotion.emit(reason);
    const pending = results.filter((result) => result instanceof Promise && result !== this.ended);
    if (pending.length === 0 || spareMillis <= 0) return;
    const stopped = settledWithin(this.clock, spareMillis, Promise.allSettled(pending)).then(() => {
      if (this.stopped === stopped) this.stopped = null;
    });
    this.stopped = stopped;
  }

  private write(seq: number, data: MemberData): void {
    const { presence } = this.hubMember.channel;
    const send = () => (this.state.members.has(this.state.key ?? "") ? presence.update(data) : presence.enter(data));
    (this.stopped === null ? send() : this.stopped.then(send)).then(
      () => this.feed({ type: "acked", seq }),
      (error: unknown) => {
        if (hasCode(error, CLAIM_REFUSED)) return this.feed({ type: "refused", seq, term: termInRefusal(error) });
        this.feed({ type: "failed", seq });
        this.onError(error);
      },
    );
  }

  private leave(): void {
    // Do not wait for the work if the page is about to freeze, because a frozen page cannot leave the channel.
    const { stopped } = this;
    // A failed leave is no error. It fails if the connection is lost, and the hub then removes the member.
    const send = () => settledWithin(this.clock, LEAVE_MILLIS, this.hubMember.channel.presence.leave());
    this.left = stopped === null || this.state.phase === "frozen" ? send() : stopped.then(send);
  }

  private ping(): void {
    const sent = this.moment();
    ping(this.hubMember.client).then(
      () => this.feed({ type: "pingAnswered", sent }),
      () => {}, // The deadline handles an unanswered ping (K9).
    );
    this.renewCheckpoint();
  }

  // -- Operations of the leader

  private async publishIn(term: number, name: string, data: unknown): Promise<void> {
    if (!this.leadsIn(term)) throw new NotLeadingError("publish", term);
    try {
      await this.hubMember.channel.publish({ name, data, extras: { headers: { [TERM_HEADER]: term } } });
    } catch (error) {
      if (hasCode(error, FENCE_REFUSED)) this.feed({ type: "fenced", term });
      throw error;
    }
  }

  private async checkpointIn(term: number, state: unknown): Promise<void> {
    if (!this.leadsIn(term)) throw new NotLeadingError("checkpoint", term);
    const checkpoint = this.checkpoints.next(term, state);
    try {
      await this.publishIn(term, CHECKPOINT, checkpoint);
    } catch (error) {
      this.checkpoints.failed(checkpoint);
      throw error;
    }
  }

  private renewCheckpoint(): void {
    const term = this.state.leadingTerm;
    if (term === null || !this.leadsIn(term)) return;
    const due: Checkpoint | null = this.checkpoints.renewal(term, this.clock.monotonicMillis());
    if (due !== null) this.publishIn(term, CHECKPOINT, due).catch(this.onError);
  }

  private leadsIn(term: number): boolean {
    return this.state.leadingTerm === term && leads(this.state, this.moment());
  }

  // -- Helpers

  private data(role: "L" | "F", seq: number, term: number, eligible: boolean): MemberData {
    const { prio, ttlMillis } = this.state.settings;
    return {
      v: 1,
      role,
      term,
      prio,
      seq,
      ...(eligible ? {} : { elig: false }),
      ...(role === "L" ? { ttl: ttlMillis } : {}),
    };
  }

  private describe(leader: LeaderView | null): SwarmLeader | null {
    return leader && { id: leader.clientId, term: leader.term, self: leader.key === this.state.key };
  }

  private key(): string {
    return memberKey(this.hubMember.client.connection.id ?? "", this.id);
  }

  private moment(): Moment {
    return momentOf(this.clock);
  }
}
