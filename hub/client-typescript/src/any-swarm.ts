/// <reference lib="esnext.disposable" preserve="true" />
import type * as api from "@doyen/tabs/api";
import type { Leadership, Listener, LossReason, Register, SwarmLeader, SwarmStatus } from "@doyen/tabs/api";
import type { InboundMessage } from "ably";
import { Hook } from "./hook.js";
import type { ConnectLimits } from "./limits.js";

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
 * The API of `Swarm` and `TabSwarm`, which extends the API of `@doyen/tabs`. A `Swarm` has its own socket; the tabs of
 * a browser share the socket of a `TabSwarm`.
 *
 * The status is *connected* if the channel is attached and its members are known. A *failed* swarm was rejected by the
 * hub, and does not try again by itself.
 */
export interface AnySwarm extends api.AnySwarm, AsyncDisposable {
  /** All members, with the leader first. The other members follow in the order in which they would be elected. */
  readonly members: SwarmMember[];
  /** Called with all members when the presence set changes. */
  get onSwarmPresenceChanged(): Register<SwarmMember[]>;
  set onSwarmPresenceChanged(listener: Listener<SwarmMember[]> | null);
  /**
   * Joins the channel and takes part in the election. Resolves when the channel is attached, and rejects if the hub
   * rejects the connection, or if a limit is reached first.
   */
  connect(limits?: ConnectLimits): Promise<void>;
  /**
   * Saves state for the next leader. The channel stores the state as long as a member leads. Rejects in the same cases
   * as `publish`, and if the state is too large.
   */
  checkpoint(state: unknown): Promise<void>;
  /** Publishes a message without a fence, as any member may. A fenced channel rejects the message. */
  send(name: string, data?: unknown): Promise<void>;
  subscribe(listener: (message: InboundMessage) => void): () => void;
}

/** The listeners of a swarm, and the result of its `connect`. */
export abstract class BaseSwarm {
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

  get onElection(): Register<Leadership> {
    return this.hooks.election.register;
  }
  set onElection(listener: Listener<Leadership> | null) {
    this.hooks.election.assign(listener);
  }

  get onDemotion(): Register<LossReason> {
    return this.hooks.demotion.register;
  }
  set onDemotion(listener: Listener<LossReason> | null) {
    this.hooks.demotion.assign(listener);
  }

  get onLeaderChanged(): Register<SwarmLeader | null> {
    return this.hooks.leader.register;
  }
  set onLeaderChanged(listener: Listener<SwarmLeader | null> | null) {
    this.hooks.leader.assign(listener);
  }

  get onStatusChanged(): Register<SwarmStatus> {
    return this.hooks.status.register;
  }
  set onStatusChanged(listener: Listener<SwarmStatus> | null) {
    this.hooks.status.assign(listener);
  }

  get onSwarmPresenceChanged(): Register<SwarmMember[]> {
    return this.presence.register;
  }
  set onSwarmPresenceChanged(listener: Listener<SwarmMember[]> | null) {
    this.presence.assign(listener);
  }

  whileLeading(work: (leadership: Leadership) => unknown): () => void {
    let running: Promise<unknown> | undefined;
    const settled = async (): Promise<unknown> => running?.catch(() => {});
    const removeEnd = this.onDemotion(settled);
    const removeStart = this.onElection((leadership) => (running = (async () => work(leadership))()));
    return () => {
      removeStart();
      void settled().then(removeEnd);
    };
  }

  abstract get isLeader(): boolean;
  abstract get leadership(): Leadership | null;
  abstract get leader(): SwarmLeader | null;
  abstract get status(): SwarmStatus;
  abstract close(): Promise<void>;

  get term(): number | null {
    return this.leader?.term ?? null;
  }

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
