/**
 * The inputs, effects and state of the ranking machine, and the queries of its driver.
 *
 * A leader stops 0.8 ttl after it has *sent* its last answered ping. The hub waits one ttl after it has received the
 * leader's last frame. Two members therefore never lead at the same time if clock *rates* differ by less than 10 %.
 *
 * The rules are in docs/spec/ranking.md and in `ranking.ts`.
 */
import type { LossReason } from "@doyen/tabs/api";
import type { Member } from "./member.js";
import type { Moment } from "./moment.js";

/** The settings of the machine, with all times in milliseconds. */
export interface Settings {
  /** The priority. The member with the higher priority claims first. */
  readonly prio: number;
  /** True for a candidate, and false for an observer. */
  readonly candidate: boolean;
  /**
   * The member promises that it is never silent for longer than this time. After a longer silence, the hub can let
   * another member lead.
   */
  readonly ttlMillis: number;
  /** The time without a leader after which the first member in rank claims (K7). */
  readonly settleMillis: number;
  /** The settle time if the hub is known to grant claims. */
  readonly exclusiveSettleMillis: number;
  /** The time for which a member that has resigned does not campaign (K14). */
  readonly cooldownMillis: number;
  /** The delay after a rejected claim or a failed write. It doubles up to `backoffMaxMillis` (K13). */
  readonly backoffMillis: number;
  readonly backoffMaxMillis: number;
  /** The time after which an unanswered presence write fails (K2). */
  readonly answerMillis: number;
}

export type Input =
  | { readonly type: "connected"; readonly key: string }
  | { readonly type: "disconnected" }
  | { readonly type: "detached" }
  | { readonly type: "syncStarted" }
  | { readonly type: "syncComplete"; readonly members: readonly Member[] }
  | { readonly type: "member"; readonly action: "enter" | "update" | "present" | "leave"; readonly member: Member }
  | { readonly type: "acked"; readonly seq: number }
  | { readonly type: "refused"; readonly seq: number; readonly term: number | null }
  | { readonly type: "failed"; readonly seq: number }
  | { readonly type: "fenced"; readonly term: number }
  | { readonly type: "pingAnswered"; readonly sent: Moment }
  | { readonly type: "tick" }
  | { readonly type: "resign" }
  | { readonly type: "freeze" }
  | { readonly type: "thaw" }
  | { readonly type: "close"; readonly reason?: LossReason };

export type Effect =
  /** Writes follower data, which ends any claim of this member. A member that is not present enters. */
  | { readonly type: "follow"; readonly seq: number; readonly term: number; readonly elig: boolean }
  | { readonly type: "claim"; readonly seq: number; readonly term: number }
  | { readonly type: "leave" }
  | { readonly type: "ping" }
  | { readonly type: "startWork"; readonly term: number }
  | { readonly type: "stopWork"; readonly term: number; readonly reason: LossReason }
  | { readonly type: "leader"; readonly leader: LeaderView | null };

export interface LeaderView {
  readonly key: string;
  readonly clientId: string;
  readonly term: number;
}

export interface Claim {
  readonly seq: number;
  readonly term: number;
  readonly echoed: boolean;
}

/** The successor for whom the hub reserves the leadership (K19). */
export interface Successor {
  readonly clientId: string;
  /** The key of the former leader. */
  readonly former: string;
  /**
   * True if the former leader has confirmed the end of its claim, or has left. Also true if the leader cannot confirm,
   * because its data is not from a swarm (K3).
   */
  readonly stopped: boolean;
  /** The time at which the hub named the successor, or at which `stopped` became true. */
  readonly since: number;
}

export interface State {
  readonly settings: Settings;
  readonly key: string | null;
  readonly phase: "open" | "frozen" | "closed";
  readonly connected: boolean;
  readonly synced: boolean;
  readonly members: ReadonlyMap<string, Member>;
  /** The changes that were received during a sync, in order. The value is null for a member that left (K1). */
  readonly overlay: ReadonlyMap<string, Member | null>;
  /** True if this hub is known to grant claims. A claim with the hub's term, or a rejection, shows this (K6). */
  readonly exclusive: boolean;
  readonly maxTerm: number;
  readonly lastLedTerm: number;
  readonly seq: number;
  readonly claim: Claim | null;
  /** The time at which the last answered ping, or the claim itself, was sent (K10). */
  readonly proof: Moment;
  readonly nextPingAt: number;
  readonly leadingTerm: number | null;
  readonly outstanding: { readonly seq: number; readonly at: number } | null;
  readonly leaderlessSince: number | null;
  /** The successor that the hub has named, or null. */
  readonly successor: Successor | null;
  readonly cooldownUntil: number;
  readonly writeAt: number;
  readonly claimAt: number;
  readonly failures: number;
  readonly shown: LeaderView | null;
}

export interface Step {
  readonly state: State;
  readonly effects: readonly Effect[];
  /** The time of the next `tick`; null if no work is pending. */
  readonly wakeAt: number | null;
}

/**
 * The part of the ttl for which a leader trusts its last proof. The remaining part allows for different clock
 * rates.
 */
const SAFE_PART = 0.8;
/** The excess of wall-clock time over monotonic time that shows a suspension of the computer. */
const SUSPENSION_MILLIS = 1000;

/**
 * Returns the state before any input. `lastSeq` is lower than every number that this member will give to its
 * writes.
 */
export function initial(settings: Settings, lastSeq = 0): State {
  return {
    settings,
    key: null,
    phase: "open",
    connected: false,
    synced: false,
    members: new Map(),
    overlay: new Map(),
    exclusive: false,
    maxTerm: 0,
    lastLedTerm: 0,
    seq: lastSeq,
    claim: null,
    proof: { now: 0, wall: 0 },
    nextPingAt: 0,
    leadingTerm: null,
    outstanding: null,
    leaderlessSince: null,
    successor: null,
    cooldownUntil: 0,
    writeAt: 0,
    claimAt: 0,
    failures: 0,
    shown: null,
  };
}

/**
 * Returns true if this member leads at that moment (K9). Call this function before each act, because an earlier result
 * can be out of date.
 */
export function leads(state: State, at: Moment): boolean {
  return state.leadingTerm !== null && expiry(state, at) === null;
}

/** Returns the milliseconds that this member may still lead; 0 for a follower. */
export function remainingMillis(state: State, at: Moment): number {
  return leads(state, at) ? state.proof.now + safeMillis(state) - at.now : 0;
}

/** Returns the time for which a proof is valid, in milliseconds. */
export function safeMillis(state: State): number {
  return SAFE_PART * state.settings.ttlMillis;
}

/** Returns the reason why the last proof has expired; null if it is valid (K9). */
export function expiry(state: State, at: Moment): LossReason | null {
  const elapsed = at.now - state.proof.now;
  const wallElapsed = at.wall - state.proof.wall;
  if (elapsed < safeMillis(state) && wallElapsed < safeMillis(state)) return null;
  return wallElapsed - elapsed > SUSPENSION_MILLIS ? "suspended" : "expired";
}
