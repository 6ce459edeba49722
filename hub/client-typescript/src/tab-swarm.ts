import type { InboundMessage } from "ably";
import { AnySwarm, type SwarmLeader, type SwarmMember, type SwarmStatus } from "./any-swarm.js";
import { AGAIN_MILLIS, momentOf, settledWithin, type Clock } from "./clock.js";
import { NotLeadingError } from "./errors.js";
import { guarded, reporter } from "./hook.js";
import type { Leadership } from "./leadership.js";
import { clockOf, randomId, rewindOf } from "./options.js";
import { Outbox } from "./outbox.js";
import type { LossReason } from "./ranking-state.js";
import { Seen } from "./seen.js";
import { Swarm } from "./swarm.js";
import { scopeOf, swarmOptionsOf, tabSettingsOf, type TabOptions } from "./tab-options.js";
import { alone, platform, whyAlone, type LockRequest, type TabChannel, type TabPlatform } from "./tab-platform.js";
import { believes, holds, initialTab, stepTab, type TabEffect, type TabInput, type TabState } from "./tabs.js";
import { readWord, type FromHolder, type HolderSays, type TabSays, type View, type Word } from "./tab-words.js";

export { UnansweredError } from "./errors.js";
export type { TabOptions } from "./tab-options.js";
export type { TabPlatform } from "./tab-platform.js";

/** Delay before followers receive a change of the members. Many changes then cause one message. */
const MEMBERS_MILLIS = 50;
/** Maximum wait for the swarm to leave before the lock is released (T2). The next holder then finds the claim free. */
const LEAVE_MILLIS = 1000;
const NOTHING: View = { status: "connecting", leader: null, members: [] };

/**
 * A swarm whose tabs share one socket: all tabs of a browser are one member of the channel.
 *
 * The tab that holds a Web Lock is connected, and sends the others what it receives over a BroadcastChannel. If the
 * member is elected, `onElection` runs in the connected tab only. In the other tabs `leader.self` is true, because the
 * leader is their browser, and `isLeader` is false. If the connected tab closes, freezes, hangs or is rejected, another
 * tab connects. It uses a new connection, so if it is elected it leads in a new term.
 *
 * Without Web Locks (an old browser, or a page without https) each tab has its own socket, and logs that once on the
 * console. Outside a browser this class is a plain `Swarm`.
 *
 * Errors: the constructor throws on invalid settings. `connect` rejects if the hub rejects this tab's connection; the
 * tab stays open and follows or tries again. `onError` receives errors that belong to no call.
 *
 * Source: docs/spec/tabs.md. This class drives the machine in `tabs.ts` and decides nothing. It is long because the
 * public API, the inputs and the effects share one state.
 */
export class TabSwarm extends AnySwarm {
  private readonly scope: string;
  private readonly clock: Clock;
  private readonly rewind: number;
  private readonly onError: (error: unknown) => void;
  private readonly make: (clientId: string) => Swarm;
  private platform: TabPlatform;

  private state: TabState;
  private readonly inputs: TabInput[] = [];
  private busy = false;
  private cancelWake = (): void => {};
  private lock: LockRequest | null = null;
  private channel: TabChannel | null = null;
  private unwatch: (() => void) | null = null;

  /** This tab's own swarm while it holds the lock; else null. */
  private swarm: Swarm | null = null;
  private left: Promise<unknown> = Promise.resolve();
  private view: View = NOTHING;
  private cancelTelling: (() => void) | null = null;
  private readonly seen = new Seen();
  /** Messages for a tab that comes later: as many as the channel would repeat. */
  private recent: InboundMessage[] = [];
  private readonly messageListeners = new Set<(message: InboundMessage) => void>();
  private readonly outbox: Outbox;
  private readonly ready: { promise: Promise<void>; resolve(): void; reject(error: unknown): void };

  constructor(channelName: string, options: TabOptions) {
    const settings = tabSettingsOf(options);
    const swarmOptions = swarmOptionsOf(options);
    const report = reporter(options.onError);
    super(report);
    this.onError = report;
    this.clock = clockOf(options);
    this.outbox = new Outbox(this.clock);
    this.rewind = rewindOf(options);
    this.scope = scopeOf(channelName, options);
    this.make = options.swarm ?? ((clientId) => new Swarm(channelName, { ...swarmOptions, clientId }));
    this.platform = options.platform ?? platform();
    this.state = initialTab(settings, randomId(), options.clientId ?? randomId());
    let resolve = (): void => {};
    let reject = (_: unknown): void => {};
    const promise = new Promise<void>((yes, no) => ([resolve, reject] = [yes, no]));
    promise.catch(() => {}); // The caller of `connect` gets this rejection too.
    this.ready = { promise, resolve, reject };
    if (options.platform === undefined) sayWhyAlone();
  }

  /** This browser's client id. Until another connected tab is received, it is this tab's own proposal. */
  get id(): string {
    return this.state.device;
  }

  /** Whether this tab has the socket that the tabs of this browser share. */
  get holdsSocket(): boolean {
    return holds(this.state);
  }

  get isLeader(): boolean {
    return this.swarm?.isLeader ?? false;
  }

  get remainingMillis(): number {
    return this.swarm?.remainingMillis ?? 0;
  }

  get leadership(): Leadership | null {
    return this.swarm?.leadership ?? null;
  }

  /** The leader, or null. `self` is true if it is this browser, in any of its tabs. */
  get leader(): SwarmLeader | null {
    return this.view.leader;
  }

  get members(): SwarmMember[] {
    return this.swarm?.members ?? this.view.members;
  }

  /** The status of the connected tab; *disconnected* if there is none. */
  get status(): SwarmStatus {
    return this.state.phase === "closed" ? "closed" : this.view.status;
  }

  /** Starts to take part. Resolves when this tab, or the one that it follows, is connected. */
  connect(): Promise<void> {
    if (this.unwatch === null) {
      this.unwatch = this.platform.watch({
        changed: () => this.feed({ type: "visibility", visible: this.platform.visible() }),
        away: () => this.feed({ type: "away" }),
        back: () => this.come("back"),
        gone: () => void this.close(),
      });
      this.come("start");
    }
    return this.ready.promise;
  }

  publish(name: string, data?: unknown): Promise<void> {
    return this.swarm?.publish(name, data) ?? Promise.reject(new NotLeadingError("publish", null));
  }

  checkpoint(state: unknown): Promise<void> {
    return this.swarm?.checkpoint(state) ?? Promise.reject(new NotLeadingError("checkpoint", null));
  }

  /**
   * Publishes without a fence, through the connected tab.
   *
   * Rejects with `UnansweredError` if that tab goes away before it answers, because the outcome is unknown.
   */
  send(name: string, data?: unknown): Promise<void> {
    if (this.swarm?.status === "connected") return this.swarm.send(name, data);
    if (this.state.phase !== "open") return Promise.reject(new Error(`"${name}" was not sent: this swarm is not open`));
    const sent = this.outbox.put(name, data);
    this.passOn();
    return sent;
  }

  subscribe(listener: (message: InboundMessage) => void): () => void {
    this.messageListeners.add(listener);
    return () => this.messageListeners.delete(listener);
  }

  resign(): void {
    this.swarm?.resign();
  }

  async close(): Promise<void> {
    this.feed({ type: "close" });
    this.unwatch?.();
    await this.left;
    this.cancelWake();
    this.ready.reject(new Error("the swarm was closed"));
  }

  // -- Events become inputs

  private come(type: "start" | "back"): void {
    this.channel ??= this.platform.channel(this.scope, (data) => {
      const word = readWord(data);
      if (word !== null) this.hear(word);
    });
    this.feed({ type, visible: this.platform.visible() });
  }

  private hear(word: Word): void {
    this.feed({ type: "heard", word });
    if (word.from === this.state.tab) return;
    if (word.kind === "send") {
      if (word.to === this.state.tab) this.sendFor(word.from, word.n, word.name, word.data);
    } else if (believes(this.state, word)) this.hearHolder(word as FromHolder);
  }

  private hearHolder(word: FromHolder): void {
    if ("to" in word && word.to !== this.state.tab) return;
    if (word.kind === "view") this.show(word.view);
    else if (word.kind === "news") for (const message of word.messages) this.deliver(message);
    else if (word.kind === "sent") {
      const { error } = word;
      this.outbox.answered(word.n, error === undefined ? undefined : Object.assign(new Error(error.message), error));
    }
  }

  private feed(input: TabInput): void {
    this.inputs.push(input);
    if (this.busy) return;
    this.busy = true;
    try {
      for (let next = this.inputs.shift(); next !== undefined; next = this.inputs.shift()) this.take(next);
    } finally {
      this.busy = false;
    }
  }

  /** Processes one input. If the machine fails, the input is lost, and a tick follows after `AGAIN_MILLIS`. */
  private take(input: TabInput): void {
    try {
      this.advance(input);
    } catch (error) {
      this.onError(error);
      this.cancelWake();
      this.cancelWake = this.clock.after(AGAIN_MILLIS, () => this.feed({ type: "tick" }));
    }
  }

  private advance(input: TabInput): void {
    const at = momentOf(this.clock);
    const { state, effects, wakeAt } = stepTab(this.state, at, input);
    this.state = state;
    this.cancelWake();
    this.cancelWake =
      wakeAt === null ? () => {} : this.clock.after(Math.max(0, wakeAt - at.now), () => this.feed({ type: "tick" }));
    for (const effect of effects) guarded(this.onError, () => this.carryOut(effect));
    if (state.phase === "away" || state.phase === "closed") this.fallSilent();
  }

  private carryOut(effect: TabEffect): void {
    switch (effect.type) {
      case "ask":
        return this.request(false);
      case "steal":
        return this.request(true);
      case "leaveQueue":
        this.lock?.end();
        this.lock = null;
        return;
      case "release":
        return this.release(effect.when);
      case "open":
        return this.open(effect.device);
      case "shut":
        return this.shut(effect.reason);
      case "say":
        return this.say(effect.word);
      case "inform":
        this.say({ kind: "view", view: this.view, to: effect.tab });
        if (this.recent.length > 0) this.say({ kind: "news", messages: this.recent, to: effect.tab });
        return;
      case "follow":
        return this.follow(effect.holder?.tab ?? null);
    }
  }

  // -- The lock

  private request(steal: boolean): void {
    const request: LockRequest = this.platform.lock(this.scope, steal, {
      granted: () => {
        if (this.lock === request) this.feed({ type: "granted" });
      },
      robbed: () => {
        if (this.lock === request) this.feed({ type: "robbed" });
      },
      refused: (error) => {
        if (this.lock !== request) return;
        sayAlone((error as Error | null)?.message ?? String(error));
        this.platform = { ...alone, visible: this.platform.visible };
        this.channel?.close();
        this.channel = this.platform.channel(this.scope, () => {});
        this.request(false);
      },
    });
    this.lock = request;
  }

  private release(when: "left" | "now"): void {
    const lock = this.lock;
    const end = (): void => {
      if (this.lock !== lock) return;
      this.lock = null;
      lock?.end();
      this.feed({ type: "released" });
    };
    if (when === "now") return end();
    this.left = this.left.then(end);
  }

  // -- The swarm of the tab that holds the lock

  private open(device: string): void {
    const swarm = this.make(device);
    const mine = <T>(act: (value: T) => unknown) => {
      return (value: T): unknown => (this.swarm === swarm ? act(value) : undefined);
    };
    this.swarm = swarm;
    this.show(NOTHING);
    let refused = true;
    swarm.onElection(mine((leadership) => this.hooks.election.emit(leadership)));
    // Without the check of `mine`, because a term of this tab also ends while the tab gives up the socket.
    swarm.onDemotion((reason) => this.demoted(reason));
    swarm.onLeaderChanged(mine((leader) => this.show({ ...this.view, leader })));
    swarm.onSwarmPresenceChanged(mine((members) => this.show({ ...this.view, members })));
    swarm.onStatusChanged(
      mine((status) => {
        this.show({ ...this.view, status });
        if (status === "connected") {
          this.feed({ type: "connected" });
          this.passOn();
        } else if (status === "failed" && !refused) this.feed({ type: "failed" });
      }),
    );
    swarm.subscribe((message) => {
      if (this.swarm === swarm) this.relay(message);
    });
    swarm.connect().then(
      () => (refused = false),
      (error: unknown) => {
        if (this.swarm !== swarm) return; // The swarm was closed before it connected.
        this.ready.reject(error);
        this.onError(error);
        this.feed({ type: "failed" });
      },
    );
    this.outbox.keepOnly(null);
  }

  private shut(reason: LossReason): void {
    const { swarm } = this;
    this.swarm = null;
    this.cancelTelling?.();
    this.cancelTelling = null;
    this.recent = [];
    if (swarm !== null) this.left = settledWithin(this.clock, LEAVE_MILLIS, swarm.close(reason).catch(this.onError));
    this.show({ ...NOTHING, status: "disconnected" });
  }

  /** Returns a promise only if a listener returned one. The swarm then waits before it lets another lead. */
  private demoted(reason: LossReason): Promise<unknown> | undefined {
    const pending = this.hooks.demotion.emit(reason).filter((result) => result instanceof Promise);
    return pending.length === 0 ? undefined : Promise.allSettled(pending);
  }

  private relay(message: InboundMessage): void {
    // A message of the SDK has methods. Copy its data only, because a BroadcastChannel cannot send functions.
    const plain = { ...message } as InboundMessage;
    if (!this.deliver(plain)) return;
    this.recent.push(plain);
    if (this.recent.length > this.rewind) this.recent.shift();
    this.say({ kind: "news", messages: [plain] });
  }

  private sendFor(tab: string, n: number, name: string, data: unknown): void {
    const answer = (error?: unknown): void => {
      const { message = String(error), code } = (error ?? {}) as { message?: string; code?: number };
      const said = { message, ...(code === undefined ? {} : { code }) };
      this.say({ kind: "sent", to: tab, n, ...(error === undefined ? {} : { error: said }) });
    };
    // Without a swarm this tab has lost the lock, and the other tab would ignore its answer.
    this.swarm?.send(name, data).then(() => answer(), answer);
  }

  // -- The tabs that follow

  /**
   * Sets the view and notifies the listeners of changes. If this tab is connected, it also sends the view to the
   * others.
   */
  private show(view: View): void {
    const before = this.view;
    this.view = view;
    const { leader, members, status } = view;
    const changed = leader?.id !== before.leader?.id || leader?.term !== before.leader?.term;
    if (status === "connected") this.ready.resolve();
    if (this.swarm !== null) this.tell(changed || status !== before.status);
    if (members !== before.members) this.presence.emit(members);
    if (changed) this.hooks.leader.emit(leader);
    if (status !== before.status && this.state.phase !== "closed") this.hooks.status.emit(status);
  }

  private tell(now: boolean): void {
    const tell = (): void => {
      this.cancelTelling?.();
      this.cancelTelling = null;
      this.say({ kind: "view", view: this.view });
    };
    if (now) tell();
    else this.cancelTelling ??= this.clock.after(MEMBERS_MILLIS, tell);
  }

  private follow(holder: string | null): void {
    this.outbox.keepOnly(holder);
    if (holder === null) this.show({ ...NOTHING, status: "disconnected" });
    else this.passOn();
  }

  /** Sends waiting messages, by this tab's swarm or through the connected tab. */
  private passOn(): void {
    const { swarm } = this;
    const { tab, holder } = this.state;
    if (swarm?.status === "connected") {
      const settle = (n: number) => (error?: unknown) => this.outbox.answered(n, error);
      this.outbox.passOn(tab, (n, name, data) => void swarm.send(name, data).then(() => settle(n)(), settle(n)));
    } else if (swarm === null && holder !== null) {
      const to = holder.tab;
      this.outbox.passOn(to, (n, name, data) => this.say({ kind: "send", to, n, name, data }));
    }
  }

  private deliver(message: InboundMessage): boolean {
    if (!this.seen.add(message.id)) return false;
    for (const listener of [...this.messageListeners]) {
      try {
        listener(message);
      } catch (error) {
        this.onError(error);
      }
    }
    return true;
  }

  // -- Helpers

  private say(word: TabSays | HolderSays): void {
    const { tab, generation, device, stolen } = this.state;
    const mine = word.kind === "heartbeat" || word.kind === "view" || word.kind === "news" || word.kind === "sent";
    try {
      this.channel?.say({ v: 1, from: tab, ...(mine ? { generation, device, stolen } : {}), ...word });
    } catch (error) {
      this.onError(error); // The data cannot be cloned.
    }
  }

  /** Closes all that would keep the browser from caching the page (T12). */
  private fallSilent(): void {
    this.channel?.close();
    this.channel = null;
    this.outbox.end();
    if (this.state.phase === "closed" && this.view.status !== "closed") {
      this.view = { ...this.view, status: "closed" };
      this.hooks.status.emit("closed");
    }
  }
}

let saidAlone = false;

function sayWhyAlone(): void {
  const why = whyAlone();
  if (why !== null) sayAlone(why);
}

function sayAlone(why: string): void {
  if (saidAlone) return;
  saidAlone = true;
  console.warn(`swarm: each tab opens a connection of its own, because ${why}`);
}
