/**
 * The ranking machine: decides from a channel's presence set who leads, as a pure step `(state, input) -> state and
 * effects`. It has no clock, timer, randomness or I/O; each input carries the time. The rules K1 to K19, with the
 * transition table, stand in docs/spec/ranking.md, and docs/spec/vectors/ranking holds transcripts that every
 * implementation must reproduce.
 *
 * Clocks: a leader counts 0.8 ttl from the *sending* of its last answered ping; the hub counts ttl from the receipt
 * of the leader's last frame. So nobody leads twice at one instant if clock *rates* differ by less than 10 %.
 *
 * The file is longer than most because the machine is one step: cutting it up would hide the order of the rules.
 */
import { MAX_TERM, position, termOfClaim, winner, type Member } from "./member.js";

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

/** One reading of both clocks. The wall clock only betrays a machine that was suspended (rule L4). */
export interface Moment {
  readonly now: number;
  readonly wall: number;
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

interface Claim {
  readonly seq: number;
  readonly term: number;
  readonly echoed: boolean;
}

interface Heir {
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
const PINGS_PER_TTL = 4;
/** When the wall clock ran this much further than the monotonic one, the machine stood still. */
const SUSPENSION_MILLIS = 1000;
/** How many settle times each place further back in rank waits longer, in case those before it are stuck. */
const PATIENCE = 4;
/** Beyond this place all wait equally long. */
const MAX_POSITION = 8;
/** For how much of a ttl the hub keeps the office for an heir (claims.md, C16). */
const HEIR_PART = 0.5;

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

/** One step. The caller carries the effects out in their order. */
export function step(before: State, at: Moment, input: Input): Step {
  const work = new Work(before, at);
  work.expire();
  work.take(input);
  work.decide();
  return { state: work.state, effects: work.effects, wakeAt: wakeAt(work.state) };
}

function safeMillis(state: State): number {
  return SAFE_PART * state.settings.ttlMillis;
}

function expiry(state: State, at: Moment): LossReason | null {
  const elapsed = at.now - state.proof.now;
  const wallElapsed = at.wall - state.proof.wall;
  if (elapsed < safeMillis(state) && wallElapsed < safeMillis(state)) return null;
  return wallElapsed - elapsed > SUSPENSION_MILLIS ? "suspended" : "expired";
}

/** The draft of one step: it lives no longer than that, so that from outside the machine stays a function. */
class Work {
  state: State;
  readonly effects: Effect[] = [];
  private readonly at: Moment;

  constructor(state: State, at: Moment) {
    this.state = state;
    this.at = at;
  }

  /** K9: before anything else is looked at, so that a woken page stops first. */
  expire(): void {
    if (this.state.claim === null) return;
    const reason = expiry(this.state, this.at);
    if (reason !== null) this.giveUpClaim(reason);
  }

  take(input: Input): void {
    const { state } = this;
    switch (input.type) {
      case "connected":
        if (input.key !== state.key) {
          this.lose("superseded");
          this.forgetChannel();
        }
        return this.set({ key: input.key, connected: true });
      case "disconnected":
        return this.set({ connected: false, leaderlessSince: null });
      case "detached":
        this.lose("superseded");
        return this.forgetChannel();
      case "syncStarted":
        return this.set({ synced: false, overlay: new Map(), leaderlessSince: null });
      case "syncComplete":
        return this.completeSync(input.members);
      case "member":
        this.hear(input.member, input.action === "leave");
        // What a sync shows may have been ordered long ago.
        return input.action === "update" ? this.heed(input.member) : undefined;
      case "acked":
        return; // K8: an answer is not an echo; only the echo says what the channel saw, and in which order.
      case "refused":
        this.observeTerm(input.term ?? 0);
        this.set({ exclusive: true });
        return this.writeFailed(input.seq);
      case "failed":
        this.writeFailed(input.seq);
        return this.set({ writeAt: this.at.now + this.backoff() });
      case "fenced":
        if (state.leadingTerm === input.term) this.lose("superseded");
        return;
      case "pingAnswered":
        // K10: proof counts only while this member can see the whole channel.
        if (state.claim !== null && state.connected && state.synced && input.sent.now > state.proof.now) {
          this.set({ proof: input.sent, failures: 0 });
        }
        return;
      case "tick":
        return;
      case "resign":
        if (state.claim !== null) {
          this.lose("resigned");
          this.set({ restUntil: this.at.now + state.settings.cooldownMillis });
        }
        return;
      case "freeze":
        return this.quit("frozen", "suspended");
      case "thaw":
        if (state.phase === "frozen") this.set({ phase: "open" });
        return;
      case "close":
        return this.quit("closed", input.reason ?? "closed");
      default:
        return unreachable(input);
    }
  }

  /** Everything that follows from the facts, in the order of the rules. */
  decide(): void {
    if (this.state.phase === "open" && this.state.connected && this.state.synced) {
      const top = winner(this.state.members.values());
      this.hearWord();
      this.judgeClaim(top);
      this.watchLeader(top);
      this.write(top);
    }
    this.ping();
  }

  // -- facts

  private completeSync(snapshot: readonly Member[]): void {
    const members = new Map(snapshot.map((member) => [member.key, member]));
    for (const [key, member] of this.state.overlay) {
      if (member === null) members.delete(key);
      else members.set(key, member);
    }
    const stamped = [...members.values()].some((member) => member.stamped !== null);
    this.set({ members, overlay: new Map(), synced: true, exclusive: this.state.exclusive || stamped });
    for (const member of members.values()) this.observe(member);
  }

  private hear(member: Member, left: boolean): void {
    this.observe(member);
    const overlay = !this.state.synced;
    const map = new Map<string, Member | null>(overlay ? this.state.overlay : this.state.members);
    if (!left) map.set(member.key, member);
    else if (overlay) map.set(member.key, null);
    else map.delete(member.key);
    this.set(overlay ? { overlay: map } : { members: map as Map<string, Member> });
  }

  private observe(member: Member): void {
    const { key, outstanding } = this.state;
    if (member.stamped !== null) this.set({ exclusive: true });
    // K6: where the hub counts terms, what members write about terms is only talk.
    if (member.stamped !== null || !this.state.exclusive) this.observeTerm(termOfClaim(member));
    if (member.key === key && outstanding !== null && member.seq !== null && member.seq >= outstanding.seq) {
      this.set({ outstanding: null });
    }
  }

  /** K19: only where the hub alone says who is to be next. */
  private heed(former: Member): void {
    const { exclusive, members, key } = this.state;
    const heir = former.ended?.heir ?? null;
    if (heir === null || !exclusive) return;
    // Strangers give no word; what they have promised the hub knows.
    this.set({ heir: { clientId: heir, former: former.key, stopped: former.seq === null, since: this.at.now } });
    // It is asked to claim, so what it was refused before is no reason to wait (K13).
    if (members.get(key ?? "")?.clientId === heir) this.set({ failures: 0, claimAt: this.at.now });
  }

  /** K19: who led has written anew, or left. */
  private hearWord(): void {
    const { heir, members } = this.state;
    if (heir === null || heir.stopped || members.get(heir.former)?.ended !== undefined) return;
    this.set({ heir: { ...heir, stopped: true, since: this.at.now } });
  }

  private observeTerm(term: number): void {
    if (term > this.state.maxTerm) this.set({ maxTerm: term });
  }

  /** Beyond the last term others would take a claim for nonsense (K3), and nobody could lead. */
  private nextTerm(): number {
    return Math.min(this.state.maxTerm, MAX_TERM - 1) + 1;
  }

  /** Above the last term led in, or the last there is, where nobody grants any (K6). */
  private mayLead(term: number): boolean {
    return term > this.state.lastLedTerm || (term === MAX_TERM && !this.state.exclusive);
  }

  private writeFailed(seq: number): void {
    if (this.state.outstanding?.seq === seq) this.set({ outstanding: null });
    if (this.state.claim?.seq === seq) this.giveUpClaim("superseded");
    else this.set({ failures: this.state.failures + 1 });
  }

  private forgetChannel(): void {
    this.set({
      connected: false,
      synced: false,
      members: new Map(),
      overlay: new Map(),
      outstanding: null,
      leaderlessSince: null,
      heir: null,
    });
  }

  private quit(phase: "frozen" | "closed", reason: LossReason): void {
    if (this.state.phase === "closed" || this.state.phase === phase) return;
    this.lose(reason);
    // Also if it is not in the set: the SDK may have entered it again a moment ago.
    if (this.state.connected && this.state.phase === "open") this.effects.push({ type: "leave" });
    this.set({ phase, outstanding: null, leaderlessSince: null });
  }

  // -- decisions

  private watchLeader(top: Member | null): void {
    const { shown, leaderlessSince } = this.state;
    if (top === null) {
      if (leaderlessSince === null) this.set({ leaderlessSince: this.at.now });
      if (shown !== null) this.show(null);
      return;
    }
    this.set({ leaderlessSince: null, heir: null });
    if (top.key !== this.state.key) this.set({ failures: 0 });
    // K11: who has stopped is not shown as the leader, although its claim may still stand in the set.
    else if (this.state.leadingTerm === null) return;
    const term = termOfClaim(top);
    if (shown?.key !== top.key || shown.term !== term) this.show({ key: top.key, clientId: top.clientId, term });
  }

  /** K8 and K11: lead by the echo of the own claim alone, and only while it wins. */
  private judgeClaim(top: Member | null): void {
    const { claim, key, members } = this.state;
    if (claim === null) return;
    const mine = members.get(key ?? "");
    if (mine === undefined || mine.role !== "L" || mine.seq !== claim.seq) {
      if (claim.echoed) this.lose("superseded");
      return;
    }
    if (top?.key !== key) return this.lose("superseded");
    const term = termOfClaim(mine);
    if (!claim.echoed) {
      this.set({ claim: { ...claim, echoed: true } });
      if (!this.mayLead(term)) return this.giveUpClaim("superseded");
      this.set({ leadingTerm: term, lastLedTerm: term });
      this.effects.push({ type: "startWork", term });
    } else if (term !== this.state.leadingTerm) {
      this.lose("superseded");
    }
  }

  /** At most one write is under way: undo, then enter, then say whether eligible, then claim. */
  private write(top: Member | null): void {
    const { state, at } = this;
    if (state.outstanding !== null && at.now - state.outstanding.at >= state.settings.answerMillis) {
      this.abandon(state.outstanding.seq);
    }
    if (this.state.outstanding !== null || at.now < state.writeAt) return;
    const mine = state.members.get(state.key ?? "");
    const current = this.state.claim;
    const eligible = wantsOffice(state, at.now);
    if (
      mine === undefined ||
      isStray(mine, current) ||
      owesWord(mine) ||
      (mine.role === "F" && mine.elig !== eligible)
    ) {
      const seq = this.nextSeq();
      this.effects.push({ type: "follow", seq, term: this.state.maxTerm, elig: eligible });
    } else if (current === null && top === null && eligible && at.now >= claimTime(this.state, mine)) {
      const claim = { seq: this.nextSeq(), term: this.nextTerm(), echoed: false };
      this.set({ claim, proof: at, nextPingAt: at.now + pingMillis(state) });
      this.effects.push({ type: "claim", seq: claim.seq, term: claim.term });
    }
  }

  /** Nobody answered: what it claimed, if that was it, did not come to be, however well pings are answered since. */
  private abandon(seq: number): void {
    this.set({ outstanding: null });
    if (this.state.claim?.seq === seq) this.giveUpClaim("expired");
  }

  private ping(): void {
    const { claim, connected, nextPingAt } = this.state;
    if (claim === null || !connected || this.at.now < nextPingAt) return;
    this.set({ nextPingAt: this.at.now + pingMillis(this.state) });
    this.effects.push({ type: "ping" });
  }

  // -- small steps

  /** K11: the work is told to stop before anything else is written. */
  private lose(reason: LossReason): void {
    const { leadingTerm, shown, key } = this.state;
    if (leadingTerm !== null) this.effects.push({ type: "stopWork", term: leadingTerm, reason });
    this.set({ leadingTerm: null, claim: null });
    if (shown !== null && shown.key === key) this.show(null);
  }

  private giveUpClaim(reason: LossReason): void {
    this.lose(reason);
    this.set({ failures: this.state.failures + 1 });
    this.set({ claimAt: this.at.now + this.backoff() });
  }

  private backoff(): number {
    const { backoffMillis, backoffMaxMillis } = this.state.settings;
    return Math.min(backoffMaxMillis, backoffMillis * 2 ** Math.max(0, Math.min(this.state.failures - 1, 20)));
  }

  private nextSeq(): number {
    const seq = this.state.seq + 1;
    this.set({ seq, outstanding: { seq, at: this.at.now } });
    return seq;
  }

  private show(leader: LeaderView | null): void {
    this.set({ shown: leader });
    this.effects.push({ type: "leader", leader });
  }

  private set(change: Partial<State>): void {
    this.state = { ...this.state, ...change };
  }
}

function wantsOffice(state: State, now: number): boolean {
  return state.settings.candidate && now >= state.restUntil;
}

/** Leader data under the own key that is not the present claim: the SDK entered it again, or the claim was given up. */
function isStray(mine: Member, claim: Claim | null): boolean {
  return mine.role === "L" && mine.seq !== claim?.seq;
}

/** K19: what the hub wrote as it took the claim away is overwritten; that says that the work has stopped. */
function owesWord(mine: Member): boolean {
  return mine.role === "F" && mine.ended !== undefined;
}

function pingMillis(state: State): number {
  return state.settings.ttlMillis / PINGS_PER_TTL;
}

/** K5, K7, K13, K19: when this member may claim, if the channel stays without a leader. */
function claimTime(state: State, mine: Member): number {
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

function wakeAt(state: State): number | null {
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

function unreachable(input: never): never {
  throw new Error(`unknown input ${JSON.stringify(input)}`);
}
