/**
 * The tab machine: decides which tab of a browser holds the socket.
 *
 * It is a pure step `(state, input) -> state and effects`, without clock, timer, randomness or I/O. Each input carries
 * the time. docs/spec/tabs.md has the rules T1 to T14.
 *
 * It does not elect the leader (T1). The holder of the socket takes part in the channel's election on a connection of
 * its own. The ranking machine and the hub ensure that at most one member leads. So an error here costs a second
 * socket, or a time without one, but never causes a second leader.
 */
import type { Moment } from "./moment.js";
import type { LossReason } from "./ranking-state.js";
import type { Bid, Holder, TabEffect, TabInput, TabState, TabStep } from "./tabs-state.js";
import type { FromHolder, Word } from "./tab-words.js";

export { believes, holds, initialTab } from "./tabs-state.js";
export type { Holder, TabEffect, TabInput, TabSettings, TabState, TabStep } from "./tabs-state.js";

/** A hidden holder counts as slow this long after a late timer. That is longer than the minute of a throttled tab. */
const SLOW_MEMORY_MILLIS = 70_000;
/** Runs one step. The caller must carry out the effects in their order. */
export function stepTab(before: TabState, at: Moment, input: TabInput): TabStep {
  const work = new Work(before, at);
  work.wake();
  work.take(input);
  work.decide();
  return { state: work.state, effects: work.effects, wakeAt: wakeAt(work.state) };
}

/** Mutable working copy of the state during one step. `stepTab` as a whole is a pure function. */
class Work {
  state: TabState;
  readonly effects: TabEffect[] = [];
  private heartbeatDue = false;
  private readonly at: Moment;
  private readonly now: number;

  constructor(state: TabState, at: Moment) {
    this.state = state;
    this.at = at;
    this.now = at.now;
  }

  /** Applies T6 before anything else. A tab that did not run has received nothing, so it cannot judge the silence. */
  wake(): void {
    const { due, settings, phase } = this.state;
    if (phase !== "open") return;
    const late = Math.max(this.now - due.now, this.at.wall - due.wall);
    if (late > settings.lagMillis) {
      this.set({ laggedAt: this.now, quietSince: this.now, round: null, heardBid: null });
    } else if (this.now < due.now) return;
    this.heartbeatDue = true;
    this.rearm();
  }

  take(input: TabInput): void {
    const { state } = this;
    switch (input.type) {
      case "start":
      case "back":
        if (state.phase === "open" || state.phase === "closed") return;
        this.set({ phase: "open", visible: input.visible, quietSince: this.now, laggedAt: null, askAt: this.now });
        this.rearm();
        return this.say({ kind: "hello", visible: input.visible });
      case "granted":
        return this.granted();
      case "robbed":
        if (state.lock !== "held") return;
        this.shut("superseded");
        return this.set({ lock: "none", quietSince: this.now, round: null });
      case "released":
        if (state.lock === "releasing") this.set({ lock: "none", quietSince: this.now });
        return;
      case "heard":
        if (state.phase === "open") this.hear(input.word);
        return;
      case "visibility":
        if (state.phase !== "open" || state.visible === input.visible) return;
        this.set({ visible: input.visible });
        return this.say({ kind: "here", visible: input.visible });
      case "failed": {
        // T11: the hub may accept another tab's connection.
        if (state.lock !== "held") return;
        const { unfitMillis, unfitMaxMillis } = state.settings;
        const rest = doubled(unfitMillis, state.unfit, unfitMaxMillis);
        this.set({ unfit: state.unfit + 1, askAt: this.now + rest });
        return this.giveBack("superseded", "left");
      }
      case "connected":
        return this.set({ unfit: 0 });
      case "tick":
        return;
      case "away":
        return this.go("away", "suspended", "now");
      case "close":
        return this.go("closed", "closed", "left");
      default:
        return unreachable(input);
    }
  }

  /** Derives everything that follows from the state and the time. */
  decide(): void {
    const { state, now } = this;
    if (state.phase !== "open") return;
    if (state.lock === "none" && now >= state.askAt) {
      this.set({ lock: "queued" });
      this.effects.push({ type: "ask" });
    }
    if (this.state.lock === "held" && this.heartbeatDue) this.heartbeat();
    if (this.state.lock === "queued") this.watchHolder();
  }

  // -- The lock

  private granted(): void {
    const { state } = this;
    if (state.phase !== "open") {
      this.effects.push({ type: "release", when: "now" });
      return this.set({ lock: "none" });
    }
    // T10: a visible tab is the better holder, because its timers are not throttled. It may be gone by now.
    if (state.lock === "queued" && !state.visible && state.seenVisible !== null && !state.passed) {
      this.effects.push({ type: "release", when: "now" });
      return this.set({ lock: "releasing", passed: true });
    }
    const generation = Math.max(state.maxGeneration + 1, Math.floor(this.at.wall));
    const stolen = state.lock === "stealing";
    this.set({ lock: "held", stolen, passed: false, maxGeneration: generation, generation, round: null, holder: null });
    this.heartbeat();
    this.effects.push({ type: "open", device: state.device });
    this.rearm();
  }

  private giveBack(reason: LossReason, when: "left" | "now"): void {
    this.shut(reason);
    this.say({ kind: "bye" });
    this.effects.push({ type: "release", when });
    this.set({ lock: "releasing" });
  }

  private shut(reason: LossReason): void {
    this.effects.push({ type: "shut", reason });
  }

  private go(phase: "away" | "closed", reason: LossReason, when: "left" | "now"): void {
    const { state } = this;
    if (state.phase === "closed" || state.phase === phase) return;
    if (state.lock === "held") this.giveBack(reason, when);
    else {
      if (state.lock === "queued" || state.lock === "stealing") this.effects.push({ type: "leaveQueue" });
      // Release at once, because a page that freezes would still hold the lock.
      if (state.lock === "releasing") this.effects.push({ type: "release", when });
      if (state.phase === "open") this.say({ kind: "bye" });
      this.set({ lock: state.lock === "releasing" ? "releasing" : "none" });
    }
    this.follow(null);
    this.set({ phase, round: null, heardBid: null, seenVisible: null, passed: false });
  }

  // -- Received messages

  private hear(word: Word): void {
    const { state } = this;
    if (word.from === state.tab) {
      // T8: a tab that does not receive its own message cannot judge the silence of another.
      if (word.kind === "bid" && state.round !== null) this.set({ round: { ...state.round, echoed: true } });
      return;
    }
    switch (word.kind) {
      case "heartbeat":
      case "view":
      case "news":
      case "sent":
        return this.hearHolder({ tab: word.from, generation: word.generation }, word);
      case "hello":
        this.see(word.from, word.visible);
        if (this.state.lock === "held") this.effects.push({ type: "inform", tab: word.from });
        return;
      case "here":
        return this.see(word.from, word.visible);
      case "bid":
        this.see(word.from, word.visible);
        return this.hearBid({ tab: word.from, visible: word.visible });
      case "bye":
        if (state.seenVisible === word.from) this.set({ seenVisible: null });
        if (state.holder?.tab === word.from) {
          this.set({ quietSince: this.now });
          this.follow(null);
        }
        return;
      case "send":
        return; // The driver carries it out, if it is for this tab.
    }
  }

  private hearHolder(holder: Holder, word: FromHolder): void {
    const { state } = this;
    const known = state.holder;
    this.set({ maxGeneration: Math.max(state.maxGeneration, holder.generation) });
    if (state.lock === "held") return this.outdo(holder);
    // T4: a late message of an old holder is ignored, unless the newer holder has been silent for too long.
    const stale = holder.generation < state.maxGeneration || (known !== null && compareHolders(holder, known) < 0);
    if (stale && this.now - state.quietSince < state.settings.silentMillis) return;
    this.set({ quietSince: this.now, round: null, heardBid: null });
    this.set({ device: word.device });
    if (known?.tab === holder.tab && known.generation === holder.generation) return;
    if (word.stolen) this.rest(state.settings.restMillis);
    this.follow(holder);
    // A message to this tab alone already answers its hello.
    if (!("to" in word) || word.to !== state.tab) this.say({ kind: "hello", visible: state.visible });
  }

  /**
   * Takes a higher generation than another holder's (T4).
   *
   * A tab may get the lock and lose it again while it is frozen. When it wakes, it still sends its own generation.
   */
  private outdo(holder: Holder): void {
    if (holder.generation < this.state.generation) return;
    this.set({ generation: holder.generation + 1, maxGeneration: holder.generation + 1 });
    this.heartbeat();
  }

  private hearBid(bid: Bid): void {
    const { state, now } = this;
    if (state.lock === "held") this.heartbeat();
    else if (state.round !== null) {
      this.set({ round: { ...state.round, best: better(bid, state.round.best) } });
    } else {
      this.set({ heardBid: { at: now, bid: this.bestWith(bid) } });
    }
  }

  /** Notes whether a tab is visible. A slow hidden holder gives way to a visible tab (T10). */
  private see(tab: string, visible: boolean): void {
    const { state } = this;
    if (!visible) {
      if (state.seenVisible === tab) this.set({ seenVisible: null });
      return;
    }
    this.set({ seenVisible: tab });
    const slow = state.laggedAt !== null && this.now - state.laggedAt <= SLOW_MEMORY_MILLIS;
    if (state.lock !== "held" || state.visible || !slow || this.now < state.keepUntil) return;
    // Wait before the next time, because the visible tab may be unable to connect.
    this.set({ keepUntil: this.now + SLOW_MEMORY_MILLIS, passed: true });
    this.giveBack("superseded", "left");
  }

  // -- Stealing the lock

  /**
   * Applies T5 to T9. After a silence the tab sends a steal request, and then the best of the requesting tabs steals.
   */
  private watchHolder(): void {
    const { settings, quietSince, round, holder, restUntil } = this.state;
    const { now } = this;
    if (now - quietSince < settings.silentMillis) return;
    if (holder !== null) this.follow(null);
    if (round === null) {
      if (now >= restUntil) this.bid();
      return;
    }
    if (now - round.since < settings.bidMillis) return;
    this.set({ round: null, heardBid: null, quietSince: now });
    if (round.best.tab === this.state.tab && round.echoed) this.steal();
  }

  private bid(): void {
    const { tab, visible } = this.state;
    this.set({ round: { since: this.now, best: this.bestWith({ tab, visible }), echoed: false } });
    this.say({ kind: "bid", visible });
  }

  /** Returns the better of this request and a recent one of another tab. That tab may not have decided yet. */
  private bestWith(bid: Bid): Bid {
    const { heardBid, settings } = this.state;
    const lately = heardBid !== null && this.now - heardBid.at <= settings.bidMillis + settings.lagMillis;
    return lately ? better(bid, heardBid.bid) : bid;
  }

  private steal(): void {
    const { settings, stoleAt } = this.state;
    const steals = this.now - stoleAt > settings.restMaxMillis ? 0 : this.state.steals;
    this.set({ lock: "stealing", steals: steals + 1, stoleAt: this.now });
    this.rest(doubled(settings.restMillis, steals, settings.restMaxMillis));
    this.effects.push({ type: "leaveQueue" }, { type: "steal" });
  }

  private rest(millis: number): void {
    this.set({ restUntil: Math.max(this.state.restUntil, this.now + millis) });
  }

  // -- Helpers

  private follow(holder: Holder | null): void {
    if (holder === null && this.state.holder === null) return;
    this.set({ holder });
    this.effects.push({ type: "follow", holder });
  }

  private heartbeat(): void {
    this.say({ kind: "heartbeat" });
  }

  private say(word: (TabEffect & { type: "say" })["word"]): void {
    this.effects.push({ type: "say", word });
  }

  /** Sets the next tick. A holder sends a heartbeat at each. */
  private rearm(): void {
    const { heartbeatMillis } = this.state.settings;
    this.set({ due: { now: this.now + heartbeatMillis, wall: this.at.wall + heartbeatMillis } });
  }

  private set(change: Partial<TabState>): void {
    this.state = { ...this.state, ...change };
  }
}

/** Compares holders by generation, then by tab; negative if `a` came first. */
function compareHolders(a: Holder, b: Holder): number {
  return a.generation - b.generation || (a.tab < b.tab ? -1 : a.tab > b.tab ? 1 : 0);
}

/**
 * Returns the better request: visible tabs first, then the lower name (T7). All tabs agree on it, in any order of
 * receipt.
 */
function better(a: Bid, b: Bid): Bid {
  if (a.visible !== b.visible) return a.visible ? a : b;
  return a.tab <= b.tab ? a : b;
}

function doubled(millis: number, times: number, most: number): number {
  return Math.min(most, millis * 2 ** Math.min(times, 20));
}

function wakeAt(state: TabState): number | null {
  if (state.phase !== "open") return null;
  const times = [state.due.now];
  if (state.round !== null) times.push(state.round.since + state.settings.bidMillis);
  if (state.lock === "none") times.push(state.askAt);
  return Math.min(...times);
}

function unreachable(input: never): never {
  throw new Error(`unknown input ${JSON.stringify(input)}`);
}
