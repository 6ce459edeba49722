/**
 * What a ring machine is told, wants done, and knows between two inputs; and the questions that a driver asks of it.
 *
 * Source: docs/spec/ring.md. The rules are in `ring.ts`.
 */
import type { Moment } from "./moment.js";
import type { Key, RingMessage, RingTerm, RoundMessage } from "./ring-message.js";
import type { RingMember, RingView, ViewId } from "./ring-view.js";

/** Why a leadership ended. */
export type RingLoss =
  "resigned" | "paused" | "unhealthy" | "closed" | "expired" | "suspended" | "superseded" | "transferred";

/** How the greatest key is found (R4); the same for all members. */
export type RingAlgorithm = "chang-roberts" | "peterson";

/** Times in milliseconds; `ringSettings` makes and checks them. */
export interface RingSettings {
  readonly algorithm: RingAlgorithm;
  /** 0 to 100; the higher is preferred when nobody leads. */
  readonly priority: number;
  /** False for an observer, which passes messages on and never leads. */
  readonly candidate: boolean;
  /** How long a follower waits without a sign of its leader before it opens a round. */
  readonly followMillis: number;
  /** How long a leader leads after the *sending* of its last confirmed lap. */
  readonly leadMillis: number;
  readonly beatMillis: number;
  readonly retryMillis: number;
  /** How long a message of a view that may come is kept. */
  readonly keepMillis: number;
}

export type RingInput =
  | { readonly type: "installed"; readonly view: RingView }
  | { readonly type: "received"; readonly from: RingMember; readonly message: RingMessage }
  | { readonly type: "woken" }
  | { readonly type: "resign"; readonly cooldownMillis: number }
  | { readonly type: "handOver"; readonly heir: string; readonly cooldownMillis: number }
  | { readonly type: "stand" }
  | { readonly type: "standBack"; readonly cause: RingLoss }
  | { readonly type: "leave" };

/** Why a message was dropped (R11). */
export type Why = "not_from_predecessor" | "past" | "repeated" | "not_kept" | "out_of_order" | "other_algorithm";

/** Why a hand-over failed (H3): there is no such member, another was elected, or nobody was in time. */
export type Obstacle = "not_there" | "another_elected" | "no_answer";

export type RingEffect =
  | { readonly type: "send"; readonly to: RingMember; readonly message: RingMessage }
  | { readonly type: "lead"; readonly term: RingTerm }
  | { readonly type: "stepDown"; readonly term: RingTerm; readonly cause: RingLoss }
  | { readonly type: "jeopardy"; readonly term: RingTerm; readonly remainingMillis: number }
  | { readonly type: "recovered"; readonly term: RingTerm }
  | { readonly type: "leader"; readonly term: RingTerm | null }
  | { readonly type: "handOverFailed"; readonly heir: string; readonly why: Obstacle }
  | { readonly type: "dropped"; readonly from: RingMember; readonly message: RingMessage; readonly why: Why };

/** Where a member sits on the ring of a view. */
export interface Seat {
  readonly view: RingView;
  readonly before: RingMember;
  readonly after: RingMember;
}

/** One member's part in one round. */
export interface Ballot {
  readonly round: number;
  /** Frozen for the round. */
  readonly mine: Key;
  /** Before the own key was sent for the first time. */
  readonly began: Moment;
  /** Whether it knows how the round ended. */
  readonly decided: boolean;
  readonly giveUpAt: number;
  /** What the algorithm keeps. */
  readonly contest: Race | Duel;
}

/** Of a round of Chang and Roberts. */
export interface Race {
  /** The greatest key that was seen or sent, and the latest attempt of it. */
  readonly best: Key | null;
  readonly bestAttempt: number;
  /** How often the own key was sent, and when last. */
  readonly attempts: number;
  readonly sentAt: Moment;
  readonly retryAt: number;
}

/** Of a round of Peterson's. */
export interface Duel {
  /** Whether it has sent anything. */
  readonly begun: boolean;
  /** Whether it still takes part, or only passes on. */
  readonly active: boolean;
  /** The key it stands for. */
  readonly value: Key;
  /** What the first message of this phase said; null before it came. */
  readonly first: Key | null;
  /** Which phase's message is due next, from 1; its second if `first` is there. */
  readonly phase: number;
}

/** A leadership of one's own. */
export interface Reign {
  readonly term: RingTerm;
  /** When the last lap that came home was sent. */
  readonly confirmedAt: Moment;
  readonly sequence: number;
  /** Laps that have not come back, the oldest first. */
  readonly laps: readonly { readonly sequence: number; readonly sentAt: Moment }[];
  readonly beatAt: number;
  readonly doubted: boolean;
}

/** A message of a view that may come. */
export interface Held {
  readonly from: RingMember;
  readonly message: RoundMessage;
  readonly until: number;
}

export interface RingState {
  readonly settings: RingSettings;
  readonly me: RingMember;
  readonly seat: Seat | null;
  readonly joined: number;
  readonly past: readonly ViewId[];
  readonly held: readonly Held[];
  readonly ballot: Ballot | null;
  readonly reign: Reign | null;
  /** A leadership that was handed over, and whose heir does not lead yet. */
  readonly bequest: { readonly heir: string; readonly until: number } | null;
  readonly seen: RingTerm | null;
  /** The last leader that was heard; whether it is still taken for one. */
  readonly heard: {
    readonly term: RingTerm | null;
    readonly sequence: number;
    readonly named: boolean;
    readonly until: number;
  };
  readonly vainRounds: number;
  readonly willing: boolean;
  readonly abstains: boolean;
  readonly standsAt: number;
  readonly gone: boolean;
}

export interface RingStep {
  readonly state: RingState;
  readonly effects: readonly RingEffect[];
  /** When a `woken` is owed; null if nothing is waiting. */
  readonly wakeAt: number | null;
}

/** Before anything happened: no view, no leader. */
export function initialRing(settings: RingSettings, me: RingMember): RingState {
  return {
    settings,
    me,
    seat: null,
    joined: -1,
    past: [],
    held: [],
    ballot: null,
    reign: null,
    bequest: null,
    seen: null,
    heard: { term: null, sequence: 0, named: false, until: 0 },
    vainRounds: 0,
    willing: true,
    abstains: false,
    standsAt: 0,
    gone: false,
  };
}

/** For how long this member may still count on leading; 0 if it does not. To be asked before each act (R8). */
export function ringRemainingMillis({ reign, settings }: RingState, at: Moment): number {
  return reign === null ? 0 : remainingMillis(settings, reign.confirmedAt, at);
}

/** For how long what was confirmed at that time lasts, by both clocks. */
export function remainingMillis({ leadMillis }: RingSettings, confirmedAt: Moment, at: Moment): number {
  const monotonic = leadMillis - (at.now - confirmedAt.now);
  const wall = leadMillis - (at.wall - confirmedAt.wall);
  return Math.max(0, Math.min(monotonic, wall));
}

/** The term of the leader as this member knows it, or null. */
export function ringLeader(state: RingState): RingTerm | null {
  return state.heard.named ? state.heard.term : null;
}

/** Whether it would lead, as far as it is asked. */
export function ringStands(state: RingState, now: number): boolean {
  return state.willing && !(state.abstains && state.standsAt > now);
}
