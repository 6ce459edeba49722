import type { InboundMessage } from "ably";
import { AnyMember } from "./any-member.js";
import { Hook, type Listener, type Register } from "./hook.js";
import type { Leadership } from "./leadership.js";
import type { LossReason } from "./ranking-state.js";

export type { SwarmLeader, SwarmStatus } from "./any-member.js";

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

/** What every swarm can do, whether its socket is its own (`Swarm`) or shared by the tabs of a browser (`TabSwarm`). */
export abstract class AnySwarm extends AnyMember<Leadership, LossReason> {
  protected readonly presence: Hook<SwarmMember[]>;

  constructor(report: (error: unknown) => void) {
    super(report);
    this.presence = new Hook<SwarmMember[]>(report);
  }

  /** Called with all members whenever the presence set changed. */
  get onSwarmPresenceChanged(): Register<SwarmMember[]> {
    return this.presence.register;
  }
  set onSwarmPresenceChanged(listener: Listener<SwarmMember[]> | null) {
    this.presence.assign(listener);
  }

  /** All members: the leader, then in the order in which they would be elected. */
  abstract get members(): SwarmMember[];

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
}
