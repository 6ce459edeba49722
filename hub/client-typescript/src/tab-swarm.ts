import type { Leadership, LossReason, SwarmLeader, SwarmStatus } from "@doyen/tabs/api";
import type { InboundMessage } from "ably";
import { BaseSwarm, type AnySwarm, type SwarmMember } from "./any-swarm.js";
import { AGAIN_MILLIS, momentOf, settledWithin, type Clock } from "./clock.js";
import { NotLeadingError } from "./errors.js";
import { guarded, reporter } from "./hook.js";
import { withinLimits, type ConnectLimits } from "./limits.js";
import { addressOf, clockOf, randomId, rewindOf } from "./options.js";
import type { Outage } from "./outage.js";
import { Outbox } from "./outbox.js";
import { Seen } from "./seen.js";
import { Swarm } from "./swarm.js";
import { scopeOf, swarmOptionsOf, tabSettingsOf, type TabOptions } from "./tab-options.js";
import { alone, platform, whyAlone, type LockRequest, type TabChannel, type TabPlatform } from "./tab-platform.js";
import { believes, holds, initialTab, stepTab, type TabEffect, type TabInput, type TabState } from "./tabs.js";
import {
  readMessage,
  type FromHolder,
  type HolderContent,
  type TabContent,
  type View,
  type TabMessage,
} from "./tab-messages.js";

export { UnansweredError } from "./errors.js";
export type { TabOptions } from "./tab-options.js";
export type { TabPlatform } from "./tab-platform.js";

/** The delay before followers receive a change of the members. Many changes then cause one message. */
const MEMBERS_MILLIS = 50;
/**
 * The maximum wait for the swarm to leave before this tab releases the lock (T2). If the swarm leaves in time, the next
 * holder can claim at once.
 */
const LEAVE_MILLIS = 1000;
const NOTHING: View = { status: "connecting", leader: null, members: [] };

/**
 * A swarm whose tabs share one socket. All tabs of a browser together are one member of the channel.
 *
 * The tab that holds a Web Lock is connected, and sends the messages that it receives to the other tabs over a
 * BroadcastChannel. If the member is elected, `onElection` runs only in the connected tab. In the other tabs,
 * `leader.self` is true because the leader is their browser, and `isLeader` is false. If the connected tab closes,
 * freezes, hangs or is rejected, another tab connects. The new tab uses a new connection. If the member is elected
 * again, it therefore leads in a new term.
 *
 * Without Web Locks (an old browser, or a page without https) each tab has its own socket, and logs one warning on
 * the console. Outside a browser this class is a plain `Swarm`.
 *
 * The constructor throws on invalid settings. `connect` rejects if the hub rejects this tab's connection. A rejected
 * tab stays open. It then follows another tab or tries again. `onError` receives each outage of the tab with the
 * socket once, and errors that belong to no call.
 *
 * This class runs the machine in `tabs.ts`, which makes all decisions by the rules of docs/spec/tabs.md. The class
 * is long because the public API, the inputs and the effects share one state.
 */
export class TabSwarm extends BaseSwarm implements AnySwarm {
  private readonly scope: string;
  private readonly address: string;
  private readonly clock: Clock;
  private readonly rewind: number;
  private readonly onError: (error: unknown) => void;
  private readonly make: (clientId: string, outage: Outage) => Swarm;
  private readonly outage: Outage = { reported: 0, retries: true };
  private platform: TabPlatform;

  private state: TabState;
  private readonly inputs: TabInput[] = [];
  private busy = false;
  private cancelWake = (): void => {};
  private lock: LockRequest | null = null;
  private channel: TabChannel | null = null;
  private unwatch: (() => void) | null = null;

  /** The swarm of this tab while the tab holds the lock; otherwise null. */
  private swarm: Swarm | null = null;
  private left: Promise<unknown> = Promise.resolve();
  private view: View = NOTHING;
  private cancelViewPost: (() => void) | null = null;
  private readonly seen = new Seen();
  /** The latest messages, at most `rewind`, which a tab that opens later receives. */
  private recent: InboundMessage[] = [];
  private readonly messageListeners = new Set<(message: InboundMessage) => void>();
  private readonly outbox: Outbox;

  constructor(channelName: string, options: TabOptions) {
    const settings = tabSettingsOf(options);
    const swarmOptions = swarmOptionsOf(channelName, options);
    const report = reporter(options.onError);
    super(report);
    this.onError = report;
    this.clock = clockOf(options);
    this.outbox = new Outbox(this.clock);
    this.rewind = rewindOf(options);
    this.scope = scopeOf(channelName, options);
    this.address = addressOf(swarmOptions);
    this.make = options.swarm ?? ((clientId, outage) => new Swarm(channelName, { ...swarmOptions, clientId }, outage));
    this.platform = options.platform ?? platform();
    this.state = initialTab(settings, randomId(), options.clientId ?? randomId());
    if (options.platform === undefined) warnIfAlone();
  }

  /**
   * The client id of this browser. The value is this tab's own proposal until this tab receives a message of
   * another connected tab.
   */
  get id(): string {
    return this.state.device;
  }

  /** Returns true if this tab has the socket that the tabs of this browser share. */
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

  /** The leader, or null. Its `self` is true if the leader is this browser, in any of its tabs. */
  get leader(): SwarmLeader | null {
    return this.view.leader;
  }

  get members(): SwarmMember[] {
    return this.swarm?.members ?? this.view.members;
  }

  /** The status of the tab with the socket. Without such a tab, it is *connecting* at first, *disconnected* later. */
  get status(): SwarmStatus {
    return this.state.phase === "closed" ? "closed" : this.view.status;
  }

  /** Takes part in the election. Resolves when this tab, or the tab that it follows, is connected. */
  connect(limits: ConnectLimits = {}): Promise<void> {
    return withinLimits(
      this.clock,
      limits,
      this.address,
      () => this.join(),
      () => this.close(),
    );
  }

  private async join(): Promise<void> {
    if (this.unwatch === null) {
      this.unwatch = this.platform.watch({
        changed: () => this.feed({ type: "visibility", visible: this.platform.visible() }),
        away: () => this.feed({ type: "away" }),
        back: () => this.come("back"),
        gone: () => void this.close(),
      });
      this.come("start");
    }
    return this.ready;
  }

  publish(name: string, data?: unknown): Promise<void> {
    return this.swarm?.publish(name, data) ?? Promise.reject(new NotLeadingError("publish", null));
  }

  checkpoint(state: unknown): Promise<void> {
    return this.swarm?.checkpoint(state) ?? Promise.reject(new NotLeadingError("checkpoint", null));
  }

  /**
   * Publishes a message without a fence through the connected tab.
   *
   * Rejects with `UnansweredError` if that tab closes before it answers, or does not answer in time, because the
   * outcome is then unknown.
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
    this.reject(new Error("the swarm was closed"));
  }

  // -- Events become inputs

  private come(type: "start" | "back"): void {
    this.channel ??= this.platform.channel(this.scope, (data) => {
      const message = readMessage(data);
      if (message !== null) this.receive(message);
    });
    this.feed({ type, visible: this.platform.visible() });
  }

  private receive(message: TabMessage): void {
    this.feed({ type: "received", message });
    if (message.from === this.state.tab) return;
    if (message.kind === "send") {
      if (message.to === this.state.tab) this.sendFor(message.from, message.n, message.name, message.data);
    } else if (believes(this.state, message)) this.receiveFromHolder(message as FromHolder);
  }

  private receiveFromHolder(message: FromHolder): void {
    if ("to" in message && message.to !== this.state.tab) return;
    if (message.kind === "view") this.show(message.view);
    else if (message.kind === "news") for (const each of message.messages) this.deliver(each);
    else if (message.kind === "sent") {
      const { error } = message;
      this.outbox.answered(message.n, error === undefined ? undefined : Object.assign(new Error(error.message), error));
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
      case "send":
        return this.post(effect.message);
      case "inform":
        this.post({ kind: "view", view: this.view, to: effect.tab });
        if (this.recent.length > 0) this.post({ kind: "news", messages: this.recent, to: effect.tab });
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
        warnAlone((error as Error | null)?.message ?? String(error));
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
    const swarm = this.make(device, this.outage);
    const mine = <T>(act: (value: T) => unknown) => {
      return (value: T): unknown => (this.swarm === swarm ? act(value) : undefined);
    };
    this.swarm = swarm;
    this.show(NOTHING);
    let refused = true;
    swarm.onElection(mine((leadership) => this.hooks.election.emit(leadership)));
    // This listener is not wrapped in `mine`. It must also run if a term of this tab ends while the tab releases the
    // socket.
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
        this.reject(error); // The swarm itself has passed this error to `onError`.
        this.feed({ type: "failed" });
      },
    );
    this.outbox.keepOnly(null);
  }

  private shut(reason: LossReason): void {
    const { swarm } = this;
    this.swarm = null;
    this.cancelViewPost?.();
    this.cancelViewPost = null;
    this.recent = [];
    if (swarm !== null) this.left = settledWithin(this.clock, LEAVE_MILLIS, swarm.close(reason).catch(this.onError));
    this.show({ ...NOTHING, status: "disconnected" });
  }

  /**
   * Returns a promise only if a listener has returned a promise. The swarm then waits for this promise before it lets
   * another member lead.
   */
  private demoted(reason: LossReason): Promise<unknown> | undefined {
    const pending = this.hooks.demotion.emit(reason).filter((result) => result instanceof Promise);
    return pending.length === 0 ? undefined : Promise.allSettled(pending);
  }

  private relay(message: InboundMessage): void {
    // A message of the SDK has methods. Copy only its data, because a BroadcastChannel cannot send functions.
    const plain = { ...message } as InboundMessage;
    if (!this.deliver(plain)) return;
    this.recent.push(plain);
    if (this.recent.length > this.rewind) this.recent.shift();
    this.post({ kind: "news", messages: [plain] });
  }

  private sendFor(tab: string, n: number, name: string, data: unknown): void {
    const answer = (error?: unknown): void => {
      const { message = String(error), code } = (error ?? {}) as { message?: string; code?: number };
      const failure = { message, ...(code === undefined ? {} : { code }) };
      this.post({ kind: "sent", to: tab, n, ...(error === undefined ? {} : { error: failure }) });
    };
    // Without a swarm this tab has lost the lock, so the requesting tab would ignore an answer.
    this.swarm?.send(name, data).then(() => answer(), answer);
  }

  // -- The tabs that follow

  /**
   * Sets the view and notifies the listeners of changes. If this tab is connected, it also sends the view to the
   * other tabs.
   */
  private show(view: View): void {
    const before = this.view;
    this.view = view;
    const { leader, members, status } = view;
    const changed = leader?.id !== before.leader?.id || leader?.term !== before.leader?.term;
    if (status === "connected") this.resolve();
    if (this.swarm !== null) this.postView(changed || status !== before.status);
    if (members !== before.members) this.presence.emit(members);
    if (changed) this.hooks.leader.emit(leader);
    if (status !== before.status && this.state.phase !== "closed") this.hooks.status.emit(status);
  }

  private postView(now: boolean): void {
    const postNow = (): void => {
      this.cancelViewPost?.();
      this.cancelViewPost = null;
      this.post({ kind: "view", view: this.view });
    };
    if (now) postNow();
    else this.cancelViewPost ??= this.clock.after(MEMBERS_MILLIS, postNow);
  }

  private follow(holder: string | null): void {
    this.outbox.keepOnly(holder);
    if (holder === null) this.show({ ...NOTHING, status: "disconnected" });
    else this.passOn();
  }

  /** Sends waiting messages by this tab's swarm or through the connected tab. */
  private passOn(): void {
    const { swarm } = this;
    const { tab, holder } = this.state;
    if (swarm?.status === "connected") {
      const settle = (n: number) => (error?: unknown) => this.outbox.answered(n, error);
      this.outbox.passOn(tab, (n, name, data) => void swarm.send(name, data).then(() => settle(n)(), settle(n)));
    } else if (swarm === null && holder !== null) {
      const to = holder.tab;
      this.outbox.passOn(to, (n, name, data) => this.post({ kind: "send", to, n, name, data }));
    }
  }

  private deliver(message: InboundMessage): boolean {
    if (!this.seen.add(message.id)) return false;
    for (const listener of [...this.messageListeners]) guarded(this.onError, () => listener(message));
    return true;
  }

  // -- Helpers

  private post(message: TabContent | HolderContent): void {
    const { tab, generation, device, stolen } = this.state;
    const mine =
      message.kind === "heartbeat" || message.kind === "view" || message.kind === "news" || message.kind === "sent";
    try {
      this.channel?.post({ v: 1, from: tab, ...(mine ? { generation, device, stolen } : {}), ...message });
    } catch (error) {
      this.onError(error); // The data cannot be cloned.
    }
  }

  /** Closes everything that would prevent the browser from caching the page (T12). */
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

let warnedAlone = false;

function warnIfAlone(): void {
  const why = whyAlone();
  if (why !== null) warnAlone(why);
}

function warnAlone(why: string): void {
  if (warnedAlone) return;
  warnedAlone = true;
  console.warn(`swarm: each tab opens its own connection, because ${why}`);
}
