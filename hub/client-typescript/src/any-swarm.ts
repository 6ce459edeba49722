/// <reference lib="esnext.disposable" preserve="true" />
import type { InboundMessage } from "ably";
import { Hook, type Listener, type Register } from "./hook.js";
import type { Leadership } from "./leadership.js";
import type { LossReason } from "./ranking-state.js";

/** The leader of a channel as this member sees it. */
export interface SwarmLeader {
  readonly id: string;
  readonly term: number;
  /** Whether this member is the leader. The value may be out of date: check `isLeader` before you act. */
  readonly self: boolean;
}

/**
 * State of the connection to the hub.
 *
 * - *connected*: the channel is attached and its members are known.
 * - *disconnected*: the swarm was connected and tries again.
 * - *failed*: the hub rejected the swarm, which does not try again by itself.
 */
export type SwarmStatus = "connecting" | "connected" | "disconnected" | "failed" | "closed";

/** One member that is present on the channel. */
export interface SwarmMember {
  readonly id: string;
  /** Unique key, even if two members have the same id. */
  readonly key: string;
  readonly leader: boolean;
  readonly self: boolean;
  readonly priority: number;
  readonly eligible: boolean;
}

/**
 * The API that all swarms share. `Swarm` has its own socket; `TabSwarm` shares one among the tabs of a browser.
 *
 * Listeners: assign one (`swarm.onElection = f`; null removes it), or add any number (`swarm.onElection(f)`). That call
 * returns a function that removes the listener. If a listener throws, `onError` receives the error.
 */
export abstract class AnySwarm {
  protected readonly hooks;
  protected readonly presence: Hook<SwarmMember[]>;
  private shownStatus: SwarmStatus = "connecting";

  constructor(report: (error: unknown) => void) {
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
   * If the listener returns a promise, this member lets no other lead until the promise settles or its deadline passes.
   */
  get onDemotion(): Register<LossReason> {
    return this.hooks.demotion.register;
  }
  set onDemotion(listener: Listener<LossReason> | null) {
    this.hooks.demotion.assign(listener);
  }

  /** Called with the new leader, or null, when the leader that this member sees changes. */
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
   * Whether this member leads at the time of the call, by both clocks. True may be out of date; false may mean unknown.
   */
  abstract get isLeader(): boolean;

  /** Milliseconds that this member may still lead without another answer of the hub. 0 if it does not lead. */
  abstract get remainingMillis(): number;

  /** The current leadership of this member; null if it does not lead. */
  abstract get leadership(): Leadership | null;

  /** The leader that this member sees, or null. */
  abstract get leader(): SwarmLeader | null;

  /** The term of that leader, or null. */
  get term(): number | null {
    return this.leader?.term ?? null;
  }

  /** All members, the leader first. The others follow in the order in which they would be elected. */
  abstract get members(): SwarmMember[];

  abstract get status(): SwarmStatus;

  /** Starts to take part. Resolves when the members are known; rejects if the hub rejects the connection. */
  abstract connect(): Promise<void>;

  /**
   * Publishes as the leader, with the term as fence. Rejects if this member does not lead, or if the hub rejects the
   * fence.
   */
  abstract publish(name: string, data?: unknown): Promise<void>;

  /** Saves state for the next leader. The channel keeps it as long as a member leads. Rejects like `publish`. */
  abstract checkpoint(state: unknown): Promise<void>;

  /** Publishes without a fence, as any member may. A fenced channel rejects the message. */
  abstract send(name: string, data?: unknown): Promise<void>;

  /**
   * Adds a listener for messages of the channel, except those of replaced leaders. Returns a function that removes it.
   */
  abstract subscribe(listener: (message: InboundMessage) => void): () => void;

  /** Resigns, and does not campaign for `cooldownMillis`. Does nothing if this member does not lead. */
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

  /** Calls a listener that was added while this member leads. */
  private greetLate(listener: Listener<Leadership>): void {
    const { leadership } = this;
    if (leadership === null || !this.isLeader) return;
    queueMicrotask(() => {
      const { election } = this.hooks;
      if (this.leadership === leadership && election.has(listener)) election.call(listener, leadership);
    });
  }
}
