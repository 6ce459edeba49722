/// <reference lib="esnext.disposable" preserve="true" />
import { Hook, type Listener, type Register } from "./hook.js";

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

/**
 * What a member of any election on a channel has: who leads, whether it does itself, in which leadership of type `L`, and why
 * it lost one, of type `R`.
 *
 * Listeners: assign one (`swarm.onElection = f`; null removes it) or call with any number (`swarm.onElection(f)`); the call
 * returns what removes it. What a listener throws goes to `onError`.
 */
export abstract class AnyMember<L, R> {
  protected readonly hooks;
  private shownStatus: SwarmStatus = "connecting";

  constructor(report: (error: unknown) => void) {
    this.hooks = {
      election: new Hook<L>(report, (listener) => this.greetLate(listener)),
      demotion: new Hook<R>(report),
      leader: new Hook<SwarmLeader | null>(report),
      status: new Hook<SwarmStatus>(report),
    };
  }

  /** Called when this member is elected. */
  get onElection(): Register<L> {
    return this.hooks.election.register;
  }
  set onElection(listener: Listener<L> | null) {
    this.hooks.election.assign(listener);
  }

  /**
   * Called when a leadership ends, with the reason. If it returns a promise, nobody is let in before that settles or
   * the deadline passes.
   */
  get onDemotion(): Register<R> {
    return this.hooks.demotion.register;
  }
  set onDemotion(listener: Listener<R> | null) {
    this.hooks.demotion.assign(listener);
  }

  /** Called with the new leader, or null, whenever this member knows of another one. */
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

  /** The client id under which this member is present. */
  abstract get id(): string;

  /** Whether this member leads now, by both clocks at the time of the call. True is a claim, false only doubt. */
  abstract get isLeader(): boolean;

  /** For how long this member may count on leading if it hears nothing more, in milliseconds; 0 if it does not lead. */
  abstract get remainingMillis(): number;

  /** The term that this member leads in, as an object to act with; null if it does not lead. */
  abstract get leadership(): L | null;

  /** The leader as this member knows it, or null. */
  abstract get leader(): SwarmLeader | null;

  /** The term of that leader, or null. */
  get term(): number | null {
    return this.leader?.term ?? null;
  }

  abstract get status(): SwarmStatus;

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

  /** What a listener that came late has returned. */
  protected greeted(_result: unknown): void {}

  /** A listener that comes when this member leads already is told so. */
  private greetLate(listener: Listener<L>): void {
    const { leadership } = this;
    if (leadership === null || !this.isLeader) return;
    queueMicrotask(() => {
      const { election } = this.hooks;
      if (this.leadership === leadership && election.has(listener)) this.greeted(election.call(listener, leadership));
    });
  }
}
