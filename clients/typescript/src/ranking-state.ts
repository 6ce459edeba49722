/**
 * What the ranking machine is told, wants done, and knows between two inputs; and the questions that a driver asks of it.
 *
 * Clocks: a leader counts 0.8 ttl from the *sending* of its last answered ping; the hub counts ttl from the receipt
 * of the leader's last frame. So nobody leads twice at one instant if clock *rates* differ by less than 10 %.
 *
 * Source: docs/spec/ranking.md. The rules are in `ranking.ts`.
 */
import type { Member } from "./member.js";
import type { Moment } from "./moment.js";

/** Why a leadership ended. */
export type LossReason = "resigned" | "closed" | "expired" | "suspended" | "superseded";

/** All times in milliseconds. */
export interface Settings {
  /** Higher claims first. */
  readonly prio: number;
  /** False for a member that only watches. */
  readonly candidate: boolean;
  /** The promise to the hub: it may give the claim away after this much silence. */
  readonly ttlMillis: number;
  /** How long the channel must have been without a leader before the first in rank claims. */
  readonly settleMillis: number;
  /** The same where the hub is known to grant claims to one member at a time. */
  readonly exclusiveSettleMillis: number;
  /** How long a member that resigned does not stand again. */
  readonly cooldownMillis: number;
  /** The wait after a refused claim or a failed write; doubles up to `backoffMaxMillis`. */
  readonly backoffMillis: number;
  readonly backoffMaxMillis: number;
  /** When a presence write that nobody answered is given up. */
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
  /** Write follower data: enters if not yet present, gives a claim up if there is one. */
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

/** K19: whom the hub keeps the office for. */
export interface Heir {
  readonly clientId: string;
  /** The key of who led. */
  readonly former: string;
  readonly stopped: boolean;
  readonly since: number;
}

export interface State {
  readonly settings: Settings;
  readonly key: string | null;
  readonly phase: "open" | "frozen" | "closed";
  readonly connected: boolean;
  readonly synced: boolean;
  readonly members: ReadonlyMap<string, Member>;
  /** What was heard while a sync was under way, in order; null in place of a member that left. */
  readonly overlay: ReadonlyMap<string, Member | null>;
  /** A stamped claim or a refusal was seen: this hub grants claims to one member at a time. */
  readonly exclusive: boolean;
  readonly maxTerm: number;
  readonly lastLedTerm: number;
  readonly seq: number;
  readonly claim: Claim | null;
  /** When the last proof of life that was answered had been sent. */
  readonly proof: Moment;
  readonly nextPingAt: number;
  readonly leadingTerm: number | null;
  readonly outstanding: { readonly seq: number; readonly at: number } | null;
  readonly leaderlessSince: number | null;
  /** Whom the hub keeps the office for, once who had it has stopped; since when either is so. */
  readonly heir: Heir | null;
  readonly restUntil: number;
  readonly writeAt: number;
  readonly claimAt: number;
  readonly failures: number;
  readonly shown: LeaderView | null;
}

export interface Step {
  readonly state: State;
  readonly effects: readonly Effect[];
  /** When a `tick` is owed; null if nothing is waiting. */
  readonly wakeAt: number | null;
}

/** The part of ttl for which a leader trusts its last proof. The rest is for clocks that run at different rates. */
const SAFE_PART = 0.8;
/** When the wall clock ran this much further than the monotonic one, the machine stood still. */
const SUSPENSION_MILLIS = 1000;

/** Before anything happened. `lastSeq` is below every number this member will give its writes. */
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
    heir: null,
    restUntil: 0,
    writeAt: 0,
    claimAt: 0,
    failures: 0,
    shown: null,
  };
}

/** Whether this member leads at that moment (K9). To be asked before each act; true is a claim, false only doubt. */
export function leads(state: State, at: Moment): boolean {
  return state.leadingTerm !== null && expiry(state, at) === null;
}

/** How long this member may still count on leading, in milliseconds; 0 if it does not lead. */
export function remainingMillis(state: State, at: Moment): number {
  return leads(state, at) ? state.proof.now + safeMillis(state) - at.now : 0;
}

/** For how long a proof is trusted. */
export function safeMillis(state: State): number {
  return SAFE_PART * state.settings.ttlMillis;
}

/** Why the last proof is not trusted any more (K9); null if it is. */
export function expiry(state: State, at: Moment): LossReason | null {
  const elapsed = at.now - state.proof.now;
  const wallElapsed = at.wall - state.proof.wall;
  if (elapsed < safeMillis(state) && wallElapsed < safeMillis(state)) return null;
  return wallElapsed - elapsed > SUSPENSION_MILLIS ? "suspended" : "expired";
}
