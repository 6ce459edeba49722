/**
 * The ranking machine: decides from a channel's presence set who leads, as a pure step `(state, input) -> state and
 * effects`. It has no clock, timer, randomness or I/O; each input carries the time. The rules K1 to K19, with the
 * transition table, stand in docs/spec/ranking.md, and docs/spec/vectors/ranking holds transcripts that every
 * implementation must reproduce.
 *
 * Which file has which rule:
 *
 *     K3 to K5              who wins, who stands before whom       member.ts
 *     K5, K7, K13, K19      when a member may write and claim      ranking-times.ts
 *     K9                    how long a proof is trusted            ranking-state.ts
 *     the others            in which order they are applied        here
 */
import { MAX_TERM, termOfClaim, winner, type Member } from "./member.js";
import type { Moment } from "./moment.js";
import {
  expiry,
  type Effect,
  type Input,
  type LeaderView,
  type LossReason,
  type State,
  type Step,
} from "./ranking-state.js";
import { claimTime, isStray, owesWord, pingMillis, wakeAt, wantsOffice } from "./ranking-times.js";

export type { Moment } from "./moment.js";
export { initial, leads, remainingMillis } from "./ranking-state.js";
export type { Effect, Input, LeaderView, LossReason, Settings, State, Step } from "./ranking-state.js";

/** One step. The caller carries the effects out in their order. */
export function step(before: State, at: Moment, input: Input): Step {
  const work = new Work(before, at);
  work.expire();
  work.take(input);
  work.decide();
  return { state: work.state, effects: work.effects, wakeAt: wakeAt(work.state) };
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
    // It is asked to claim, so neither what it was refused before (K13) nor its cooldown is a reason to wait.
    if (members.get(key ?? "")?.clientId === heir)
      this.set({ failures: 0, claimAt: this.at.now, restUntil: this.at.now });
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

function unreachable(input: never): never {
  throw new Error(`unknown input ${JSON.stringify(input)}`);
}
