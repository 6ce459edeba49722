/// <reference lib="esnext.disposable" preserve="true" />
import type { InboundMessage } from "ably";
import { Hook, type Listener, type Register } from "./hook.js";
import type { Leadership } from "./leadership.js";
import type { LossReason } from "./ranking-state.js";

/** A leader, as every member knows it. */
export interface SwarmLeader {
  readonly id: string;
  readonly term: number;
  /** Whether it is this member. True is only a claim: ask `isLeader` before acting. */
  readonly self: boolean;
}

/**
 * How the way to the hub stands. *connected*: the channel is attached and its members are known. *disconnected*: it
 * was, and is being tried again. *failed*: it will not be tried again by itself; the hub refused.
 */
export type SwarmStatus = "connecting" | "connected" | "disconnected" | "failed" | "closed";

/** One member present on the channel. */
export interface SwarmMember {
  readonly id: string;
  /** Unique, also if two members bear one id. */
  readonly key: string;
  readonly leader: boolean;
  readonly self: boolean;
  readonly priority: number;
  readonly eligible: boolean;
}

/**
 * The methods of every swarm. `Swarm` has its own socket, and `TabSwarm` shares one among the tabs of a browser.
 *
 * Listeners: assign one (`swarm.onElection = f`; null removes it) or call with any number (`swarm.onElection(f)`); the call
 * returns a function that removes it. An exception of a listener goes to `onError`.
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
   * Called when a leadership ends, with the reason. If it returns a promise, nobody is let in before that settles or
   * the deadline passes.
   */
  get onDemotion(): Register<LossReason> {
    return this.hooks.demotion.register;
  }
  set onDemotion(listener: Listener<LossReason> | null) {
    this.hooks.demotion.assign(listener);
  }

  /** Called with the new leader, or null, when the leader that this member sees has changed. */
  get onLeaderChanged(): Register<SwarmLeader | null> {
    return this.hooks.leader.register;
  }
  set onLeaderChanged(listener: Listener<SwarmLeader | null> | null) {
    this.hooks.leader.assign(listener);
  }

  /** Called whenever `status` changed. */
  get onStatusChanged(): Register<SwarmStatus> {
    return this.hooks.status.register;
  }
  set onStatusChanged(listener: Listener<SwarmStatus> | null) {
    this.hooks.status.assign(listener);
  }

  /** Called with all members whenever the presence set changed. */
  get onSwarmPresenceChanged(): Register<SwarmMember[]> {
    return this.presence.register;
  }
  set onSwarmPresenceChanged(listener: Listener<SwarmMember[]> | null) {
    this.presence.assign(listener);
  }

  /** The client id under which this member is present. */
  abstract get id(): string;

  /** Whether this member leads now, by both clocks at the time of the call. True is a claim, false only doubt. */
  abstract get isLeader(): boolean;

  /** For how long this member may count on leading if it hears nothing more, in milliseconds; 0 if it does not lead. */
  abstract get remainingMillis(): number;

  /** The term that this member leads in, as an object to act with; null if it does not lead. */
  abstract get leadership(): Leadership | null;

  /** The leader as this member knows it, or null. */
  abstract get leader(): SwarmLeader | null;

  /** The term of that leader, or null. */
  get term(): number | null {
    return this.leader?.term ?? null;
  }

  /** All members: the leader, then in the order in which they would be elected. */
  abstract get members(): SwarmMember[];

  abstract get status(): SwarmStatus;

  /** Takes part from then on. Resolves when the members are heard, rejects if the hub refuses. */
  abstract connect(): Promise<void>;

  /** Publishes as the leader, fenced by the term. Rejects here if this member does not lead, and at the hub too. */
  abstract publish(name: string, data?: unknown): Promise<void>;

  /** Leaves state for the next leader: it is kept on the channel as long as somebody leads. Rejects like `publish`. */
  abstract checkpoint(state: unknown): Promise<void>;

  /** Publishes as any member may, without a fence. A fenced channel refuses it. */
  abstract send(name: string, data?: unknown): Promise<void>;

  /** Listens to the channel without the messages of leaders that a later one has replaced. The result stops it. */
  abstract subscribe(listener: (message: InboundMessage) => void): () => void;

  /** Gives the leadership up, and does not stand again for `cooldownMillis`. Does nothing if there is none. */
  abstract resign(): void;

  /** Gives up and leaves. It cannot be connected again. */
  abstract close(): Promise<void>;

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Tells listeners if the status is another than they were told. */
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
