/**
 * The inputs, effects and state of the ranking machine, and the queries of its driver.
 *
 * Clocks: a leader counts 0.8 ttl from the *sending* of its last answered ping. The hub counts ttl from the receipt of
 * the leader's last frame. So two members never lead at one instant if clock *rates* differ by less than 10 %.
 *
 * Source: docs/spec/ranking.md. The rules are in `ranking.ts`.
 */
import type { Member } from "./member.js";
import type { Moment } from "./moment.js";

/** Why a leadership ended. */
export type LossReason = "resigned" | "closed" | "expired" | "suspended" | "superseded";

/** All times in milliseconds. */
export interface Settings {
  /** The member with the higher priority claims first. */
  readonly prio: number;
  /** False for an observer. */
  readonly candidate: boolean;
  /** The promise to the hub: after this silence it may grant the claim to another. */
  readonly ttlMillis: number;
  /** How long the channel must have had no leader before the first in rank claims (K7). */
  readonly settleMillis: number;
  /** The same if the hub is known to grant claims. */
  readonly exclusiveSettleMillis: number;
  /** How long a member that has resigned does not campaign (K14). */
  readonly cooldownMillis: number;
  /** Delay after a rejected claim or a failed write; it doubles up to `backoffMaxMillis` (K13). */
  readonly backoffMillis: number;
  readonly backoffMaxMillis: number;
  /** After this time without an answer a presence write is given up (K2). */
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
  /** Write follower data. Enters if the member is not present, and ends its claim if it has one. */
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
  /** Changes received during a sync, in order; null for a member that left (K1). */
  readonly overlay: ReadonlyMap<string, Member | null>;
  /** Whether this hub grants claims, as a stamped claim or a rejection has shown (K6). */
  readonly exclusive: boolean;
  readonly maxTerm: number;
  readonly lastLedTerm: number;
  readonly seq: number;
  readonly claim: Claim | null;
  /** When the last answered ping, or the claim itself, was sent (K10). */
  readonly proof: Moment;
  readonly nextPingAt: number;
  readonly leadingTerm: number | null;
  readonly outstanding: { readonly seq: number; readonly at: number } | null;
  readonly leaderlessSince: number | null;
  /** The successor, whether the former leader has stopped, and since when. */
  readonly successor: Successor | null;
  readonly restUntil: number;
  readonly writeAt: number;
  readonly claimAt: number;
  readonly failures: number;
  readonly shown: LeaderView | null;
}

export interface Step {
  readonly state: State;
  readonly effects: readonly Effect[];
  /** When the machine needs its next `tick`; null if nothing is pending. */
  readonly wakeAt: number | null;
}

/** The part of ttl for which a leader trusts its last proof. The rest allows for different clock rates. */
const SAFE_PART = 0.8;
/** The machine was suspended if the wall clock ran this much further than the monotonic one. */
const SUSPENSION_MILLIS = 1000;

/** The state before any input. `lastSeq` is below every number that this member will give to its writes. */
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
    restUntil: 0,
    writeAt: 0,
    claimAt: 0,
    failures: 0,
    shown: null,
  };
}

/** Whether this member leads at that moment (K9). Check it before each act; true may be out of date. */
export function leads(state: State, at: Moment): boolean {
  return state.leadingTerm !== null && expiry(state, at) === null;
}

/** Milliseconds that this member may still lead; 0 if it does not lead. */
export function remainingMillis(state: State, at: Moment): number {
  return leads(state, at) ? state.proof.now + safeMillis(state) - at.now : 0;
}

/** How long a proof is valid, in milliseconds. */
export function safeMillis(state: State): number {
  return SAFE_PART * state.settings.ttlMillis;
}

/** Why the last proof is no longer valid (K9); null if it still is. */
export function expiry(state: State, at: Moment): LossReason | null {
  const elapsed = at.now - state.proof.now;
  const wallElapsed = at.wall - state.proof.wall;
  if (elapsed < safeMillis(state) && wallElapsed < safeMillis(state)) return null;
  return wallElapsed - elapsed > SUSPENSION_MILLIS ? "suspended" : "expired";
}
