/// <reference lib="esnext.disposable" preserve="true" />
import type { InboundMessage } from "ably";
import { Hook, type Listener, type Register } from "./hook.js";
import type { Leadership } from "./leadership.js";
import type { ConnectLimits } from "./limits.js";
import type { LossReason } from "./ranking-state.js";

/** The leader of a channel in the view of this member. */
export interface SwarmLeader {
  readonly id: string;
  readonly term: number;
  /** True if this member is the leader. The value can be out of date, so check `isLeader` before you act. */
  readonly self: boolean;
}

/**
 * The state of the connection to the hub. The states have these meanings:
 *
 * - *connected*: the channel is attached and its members are known.
 * - *disconnected*: the swarm has lost its connection and tries to connect again.
 * - *failed*: the hub rejected the swarm, which does not try again by itself.
 */
export type SwarmStatus = "connecting" | "connected" | "disconnected" | "failed" | "closed";

/** A member that is present on the channel. */
export interface SwarmMember {
  readonly id: string;
  /** The unique key of the member. Two members with the same id have different keys. */
  readonly key: string;
  readonly leader: boolean;
  readonly self: boolean;
  readonly priority: number;
  readonly eligible: boolean;
}

/**
 * The API that all swarms have in common. A `Swarm` has its own socket; the tabs of a browser share the socket of a
 * `TabSwarm`.
 *
 * Listeners: assign one listener (`swarm.onElection = f`; null removes it), or add any number
 * (`swarm.onElection(f)`). The second form returns a function that removes the listener. If a listener throws,
 * `onError` receives the error.
 */
export abstract class AnySwarm {
  protected readonly hooks;
  protected readonly presence: Hook<SwarmMember[]>;
  /** The result of `connect`. Only the first call of `resolve` or `reject` has an effect. */
  protected readonly ready: Promise<void>;
  protected resolve!: () => void;
  protected reject!: (error: unknown) => void;
  private shownStatus: SwarmStatus = "connecting";

  constructor(report: (error: unknown) => void) {
    this.ready = new Promise((resolve, reject) => Object.assign(this, { resolve, reject }));
    this.ready.catch(() => {}); // The caller of `connect` also gets this rejection.
    this.presence = new Hook<SwarmMember[]>(report);
    this.hooks = {
      election: new Hook<Leadership>(report, (listener) => this.greetLate(listener)),
      demotion: new Hook<LossReason>(report),
      leader: new Hook<SwarmLeader | null>(report),
      status: new Hook<SwarmStatus>(report),
    };
  }

  /** Called when this member is elected. */
  get onElection(): Register<Leadership> {
    return this.hooks.election.register;
  }
  set onElection(listener: Listener<Leadership> | null) {
    this.hooks.election.assign(listener);
  }

  /**
   * Called with the reason when a leadership of this member ends.
   *
   * If the listener returns a promise, this member gives up its claim only after the promise has settled or the
   * deadline of the ended leadership has passed. A page that freezes does not wait.
   */
  get onDemotion(): Register<LossReason> {
    return this.hooks.demotion.register;
  }
  set onDemotion(listener: Listener<LossReason> | null) {
    this.hooks.demotion.assign(listener);
  }

  /** Called when the leader in the view of this member changes. The argument is the new leader, or null. */
  get onLeaderChanged(): Register<SwarmLeader | null> {
    return this.hooks.leader.register;
  }
  set onLeaderChanged(listener: Listener<SwarmLeader | null> | null) {
    this.hooks.leader.assign(listener);
  }

  /** Called when `status` changes. */
  get onStatusChanged(): Register<SwarmStatus> {
    return this.hooks.status.register;
  }
  set onStatusChanged(listener: Listener<SwarmStatus> | null) {
    this.hooks.status.assign(listener);
  }

  /** Called with all members when the presence set changes. */
  get onSwarmPresenceChanged(): Register<SwarmMember[]> {
    return this.presence.register;
  }
  set onSwarmPresenceChanged(listener: Listener<SwarmMember[]> | null) {
    this.presence.assign(listener);
  }

  /** The client id under which this member is present. */
  abstract get id(): string;

  /**
   * Returns true if this member leads at the time of the call. Both the monotonic clock and the wall clock decide. The
   * value true can be out of date. The value false does not mean that another member leads.
   */
  abstract get isLeader(): boolean;

  /**
   * The milliseconds that this member may still lead without another answer of the hub. The value is 0 if the
   * member does not lead.
   */
  abstract get remainingMillis(): number;

  /** The current leadership of this member, or null if it does not lead. */
  abstract get leadership(): Leadership | null;

  /** The leader in the view of this member, or null. */
  abstract get leader(): SwarmLeader | null;

  /** The term of the leader in the view of this member, or null. */
  get term(): number | null {
    return this.leader?.term ?? null;
  }

  /** All members, with the leader first. The other members follow in the order in which they would be elected. */
  abstract get members(): SwarmMember[];

  abstract get status(): SwarmStatus;

  /**
   * Joins the channel and takes part in the election. Resolves when the channel is attached, and rejects if the hub
   * rejects the connection, or if a limit is reached first.
   */
  abstract connect(limits?: ConnectLimits): Promise<void>;

  /**
   * Publishes a message as the leader, with the term as fence. Rejects if this member does not lead, or if the hub
   * rejects the fence.
   */
  abstract publish(name: string, data?: unknown): Promise<void>;

  /**
   * Saves state for the next leader. The channel stores the state as long as a member leads. Rejects in the same cases
   * as `publish`, and if the state is too large.
   */
  abstract checkpoint(state: unknown): Promise<void>;

  /** Publishes a message without a fence, as any member may. A fenced channel rejects the message. */
  abstract send(name: string, data?: unknown): Promise<void>;

  /**
   * Adds a listener for messages of the channel, except those of replaced leaders. Returns a function that removes
   * the listener.
   */
  abstract subscribe(listener: (message: InboundMessage) => void): () => void;

  /**
   * Resigns and does not campaign for `cooldownMillis`. The method does nothing if this member neither leads nor
   * claims.
   */
  abstract resign(): void;

  /** Resigns and leaves the channel. A closed swarm cannot connect again. */
  abstract close(): Promise<void>;

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Calls the status listeners if the status has changed. */
  protected showStatus(): void {
    const { status } = this;
    if (status === this.shownStatus) return;
    this.shownStatus = status;
    this.hooks.status.emit(status);
  }

  /** Calls an election listener that is added after the election, while this member leads. */
  private greetLate(listener: Listener<Leadership>): void {
    const { leadership } = this;
    if (leadership === null || !this.isLeader) return;
    queueMicrotask(() => {
      const { election } = this.hooks;
      if (this.leadership === leadership && election.has(listener)) election.call(listener, leadership);
    });
  }
}
