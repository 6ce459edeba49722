/** When a member of a channel may write, and what it owes: the questions of time in the ranking machine's rules. */
import { position, type Member } from "./member.js";
import { safeMillis, type Claim, type State } from "./ranking-state.js";

const PINGS_PER_TTL = 4;
/** How many settle times each place further back in rank waits longer, in case those before it are stuck. */
const PATIENCE = 4;
/** Beyond this place all wait equally long. */
const MAX_POSITION = 8;
/** For how much of a ttl the hub keeps the office for an heir (claims.md, C16). */
const HEIR_PART = 0.5;

/** Whether it would lead, as far as it is asked. */
export function wantsOffice(state: State, now: number): boolean {
  return state.settings.candidate && now >= state.restUntil;
}

/** Leader data under the own key that is not the present claim: the SDK entered it again, or the claim was given up. */
export function isStray(mine: Member, claim: Claim | null): boolean {
  return mine.role === "L" && mine.seq !== claim?.seq;
}

/** K19: what the hub wrote as it took the claim away is overwritten; that says that the work has stopped. */
export function owesWord(mine: Member): boolean {
  return mine.role === "F" && mine.ended !== undefined;
}

/** How often who claims or leads asks the hub for a sign of life. */
export function pingMillis(state: State): number {
  return state.settings.ttlMillis / PINGS_PER_TTL;
}

/** K5, K7, K13, K19: when this member may claim, if the channel stays without a leader. */
export function claimTime(state: State, mine: Member): number {
  const { settleMillis, exclusiveSettleMillis, ttlMillis } = state.settings;
  const { heir } = state;
  if (heir?.clientId === mine.clientId) {
    return Math.max(heir.stopped ? 0 : heir.since + ttlMillis, state.claimAt);
  }
  const settle = state.exclusive ? Math.min(settleMillis, exclusiveSettleMillis) : settleMillis;
  const places = Math.min(position(state.members.values(), mine), MAX_POSITION);
  const kept = heir === null ? 0 : heir.since + (heir.stopped ? HEIR_PART : 1 + HEIR_PART) * ttlMillis;
  const since = Math.max(state.leaderlessSince ?? 0, kept);
  return Math.max(since + settle * (1 + PATIENCE * places), state.claimAt);
}

/** When a `tick` is owed; null if nothing is waiting. */
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
  if (mine === undefined || isStray(mine, state.claim) || owesWord(mine)) return [state.writeAt];
  if (mine.role !== "F" || !state.settings.candidate) return [];
  if (!mine.elig) return [Math.max(state.restUntil, state.writeAt)];
  if (state.claim !== null || state.leaderlessSince === null) return [];
  return [Math.max(claimTime(state, mine), state.writeAt)];
}
