/**
 * The ranking machine, which finds the leader of a channel from the channel's presence set.
 *
 * The machine is a pure step `(state, input) -> state and effects`, without clock, timer, randomness or I/O. Each input
 * contains the time. The rules K1 to K19 and the transition table are in docs/spec/ranking.md. Every implementation
 * must reproduce the transcripts in docs/spec/vectors/ranking.
 *
 * The rules are in these files:
 *
 *     K3 to K5              winner and rank                      member.ts
 *     K5, K7, K13, K19      when a member may write and claim    ranking-times.ts
 *     K9                    how long a proof is valid            ranking-state.ts
 *     other rules           in which order they apply            ranking.ts
 */
import type { LossReason } from "@doyen/tabs/api";
import { MAX_TERM, termOfClaim, winner, type Member } from "./member.js";
import type { Moment } from "./moment.js";
import { expiry, type Effect, type Input, type LeaderView, type State, type Step } from "./ranking-state.js";
import { claimTime, isEligible, isStray, mustWrite, pingMillis, wakeAt } from "./ranking-times.js";

export type { Moment } from "./moment.js";
export { initial, leads, remainingMillis } from "./ranking-state.js";
export type { Effect, Input, LeaderView, Settings, State, Step } from "./ranking-state.js";

/** Runs one step. The caller must perform the effects in their order. */
export function step(before: State, at: Moment, input: Input): Step {
  const work = new Work(before, at);
  work.expire();
  work.take(input);
  work.decide();
  return { state: work.state, effects: work.effects, wakeAt: wakeAt(work.state) };
}

/** A mutable working copy of the state during one step. The function `step` as a whole is pure. */
class Work {
  state: State;
  readonly effects: Effect[] = [];
  private readonly at: Moment;

  constructor(state: State, at: Moment) {
    this.state = state;
    this.at = at;
  }

  /**
   * Ends an expired claim (K9). This rule is first, so that a resumed page stops leading before any other rule applies.
   */
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
        this.applyMember(input.member, input.action === "leave");
        // Only an update shows that the hub has just ended a claim. In a sync, the claim can have ended long ago
        // (K19).
        return input.action === "update" ? this.recordSuccessor(input.member) : undefined;
      case "acked":
        return; // K8: an acknowledgement is not an echo. Only the echo shows what the channel received, in order.
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
        // K10: an answer counts only while this member has the complete presence set.
        if (state.claim !== null && state.connected && state.synced && input.sent.now > state.proof.now) {
          this.set({ proof: input.sent, failures: 0 });
        }
        return;
      case "tick":
        return;
      case "resign":
        if (state.claim !== null) {
          this.lose("resigned");
          this.set({ cooldownUntil: this.at.now + state.settings.cooldownMillis });
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

  /** Applies all rules to the state in their order. */
  decide(): void {
    if (this.state.phase === "open" && this.state.connected && this.state.synced) {
      const top = winner(this.state.members.values());
      this.recordStoppedLeader();
      this.judgeClaim(top);
      this.watchLeader(top);
      this.write(top);
    }
    this.ping();
  }

  // -- Inputs

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

  private applyMember(member: Member, left: boolean): void {
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
    // K6: if the hub grants claims, the terms that members wrote do not count.
    if (member.stamped !== null || !this.state.exclusive) this.observeTerm(termOfClaim(member));
    if (member.key === key && outstanding !== null && member.seq !== null && member.seq >= outstanding.seq) {
      this.set({ outstanding: null });
    }
  }

  /** Records the successor that the hub names (K19). Only a hub that grants claims can name a successor. */
  private recordSuccessor(former: Member): void {
    const { exclusive, members, key } = this.state;
    const successor = former.ended?.successor ?? null;
    if (successor === null || !exclusive) return;
    // Members that are not swarms (K3) never confirm, so this member does not wait for their confirmation.
    this.set({
      successor: { clientId: successor, former: former.key, stopped: former.seq === null, since: this.at.now },
    });
    // The hub asks this member to claim, so neither its backoff (K13) nor its cooldown (K14) delays the claim.
    if (members.get(key ?? "")?.clientId === successor)
      this.set({ failures: 0, claimAt: this.at.now, cooldownUntil: this.at.now });
  }

  /** Records that the former leader has confirmed or left (K19). */
  private recordStoppedLeader(): void {
    const { successor, members } = this.state;
    if (successor === null || successor.stopped || members.get(successor.former)?.ended !== undefined) return;
    this.set({ successor: { ...successor, stopped: true, since: this.at.now } });
  }

  private observeTerm(term: number): void {
    if (term > this.state.maxTerm) this.set({ maxTerm: term });
  }

  /** Returns the next term, at most `MAX_TERM`. Members would ignore a higher term (K3), and no member could lead. */
  private nextTerm(): number {
    return Math.min(this.state.maxTerm, MAX_TERM - 1) + 1;
  }

  /**
   * Returns true if the term is above the last term in which this member led. `MAX_TERM` can repeat if the hub grants
   * no claims (K6).
   */
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
      successor: null,
    });
  }

  private quit(phase: "frozen" | "closed", reason: LossReason): void {
    if (this.state.phase === "closed" || this.state.phase === phase) return;
    this.lose(reason);
    // Leave even if the set does not contain this member, because the SDK has perhaps just entered it again.
    if (this.state.connected && this.state.phase === "open") this.effects.push({ type: "leave" });
    this.set({ phase, outstanding: null, leaderlessSince: null });
  }

  // -- Decisions

  private watchLeader(top: Member | null): void {
    const { shown, leaderlessSince } = this.state;
    if (top === null) {
      if (leaderlessSince === null) this.set({ leaderlessSince: this.at.now });
      if (shown !== null) this.show(null);
      return;
    }
    this.set({ leaderlessSince: null, successor: null });
    if (top.key !== this.state.key) this.set({ failures: 0 });
    // K11: a member that no longer leads does not report itself as the leader, even while its claim is still in the
    // set.
    else if (this.state.leadingTerm === null) return;
    const term = termOfClaim(top);
    if (shown?.key !== top.key || shown.term !== term) this.show({ key: top.key, clientId: top.clientId, term });
  }

  /**
   * Begins to lead when this member's own claim is in the set and wins (K8). Stops leading when the claim does not
   * win (K11).
   */
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

  /**
   * Starts at most one write (K2). If several writes are needed, the order is: undo an old claim, enter, change the
   * eligibility, claim.
   */
  private write(top: Member | null): void {
    const { state, at } = this;
    if (state.outstanding !== null && at.now - state.outstanding.at >= state.settings.answerMillis) {
      this.abandon(state.outstanding.seq);
    }
    if (this.state.outstanding !== null || at.now < state.writeAt) return;
    const mine = state.members.get(state.key ?? "");
    const current = this.state.claim;
    const eligible = isEligible(state, at.now);
    if (
      mine === undefined ||
      isStray(mine, current) ||
      mustWrite(mine) ||
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

  /**
   * Abandons a write without an answer. If the write was a claim, the claim ends, even if the hub has answered
   * pings since (K2).
   */
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

  // -- Helpers

  /** Ends the claim. The work stops before the member writes anything else (K11). */
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

function unreachable(input: never): never {
  throw new Error(`unknown input ${JSON.stringify(input)}`);
}
