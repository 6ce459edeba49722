/** Computes the times at which the ranking machine writes, claims and needs a tick. */
import { position, type Member } from "./member.js";
import { safeMillis, type Claim, type State } from "./ranking-state.js";

const PINGS_PER_TTL = 4;
/**
 * The number of additional settle times for each position in rank (K7). A member waits longer than the members of
 * higher rank, so it claims only if they do not.
 */
const PATIENCE = 4;
/** The maximum position. Higher positions count as this position (K7). */
const MAX_POSITION = 8;
/** The part of a ttl for which the hub reserves the leadership for a successor. The source is claims.md, C16. */
const SUCCESSOR_PART = 0.5;

/** Returns true if the member is a candidate and its cooldown has passed. */
export function isEligible(state: State, now: number): boolean {
  return state.settings.candidate && now >= state.cooldownUntil;
}

/**
 * Returns true if the member's own leader data differs from its current claim. This happens if the SDK has entered old
 * data again, or if the member has abandoned the claim (K11).
 */
export function isStray(mine: Member, claim: Claim | null): boolean {
  return mine.role === "L" && mine.seq !== claim?.seq;
}

/**
 * Returns true if the member must confirm the end of its claim (K19). To confirm, the member replaces the data that the
 * hub wrote by new data.
 */
export function mustWrite(mine: Member): boolean {
  return mine.role === "F" && mine.ended !== undefined;
}

/** Returns the interval of a leader's or claimant's pings, in milliseconds (K10). */
export function pingMillis(state: State): number {
  return state.settings.ttlMillis / PINGS_PER_TTL;
}

/** Returns the time at which this member may claim. The channel must have no leader until then (K5, K7, K13, K19). */
export function claimTime(state: State, mine: Member): number {
  const { settleMillis, exclusiveSettleMillis, ttlMillis } = state.settings;
  const { successor } = state;
  if (successor?.clientId === mine.clientId) {
    return Math.max(successor.stopped ? 0 : successor.since + ttlMillis, state.claimAt);
  }
  const settle = state.exclusive ? Math.min(settleMillis, exclusiveSettleMillis) : settleMillis;
  const places = Math.min(position(state.members.values(), mine), MAX_POSITION);
  const reservedUntil =
    successor === null ? 0 : successor.since + (successor.stopped ? SUCCESSOR_PART : 1 + SUCCESSOR_PART) * ttlMillis;
  const since = Math.max(state.leaderlessSince ?? 0, reservedUntil);
  return Math.max(since + settle * (1 + PATIENCE * places), state.claimAt);
}

/** Returns the time of the next `tick`; null if no work is pending. */
export function wakeAt(state: State): number | null {
  const times: number[] = [];
  if (state.claim !== null) {
    times.push(state.proof.now + safeMillis(state));
    if (state.connected) times.push(state.nextPingAt);
  }
  if (state.phase === "open" && state.connected && state.synced) {
    if (state.outstanding !== null) times.push(state.outstanding.at + state.settings.answerMillis);
    else times.push(...writeTimes(state));
  }
  return times.length === 0 ? null : Math.min(...times);
}

function writeTimes(state: State): number[] {
  const mine = state.members.get(state.key ?? "");
  if (mine === undefined || isStray(mine, state.claim) || mustWrite(mine)) return [state.writeAt];
  if (mine.role !== "F" || !state.settings.candidate) return [];
  if (!mine.elig) return [Math.max(state.cooldownUntil, state.writeAt)];
  if (state.claim !== null || state.leaderlessSince === null) return [];
  return [Math.max(claimTime(state, mine), state.writeAt)];
}
