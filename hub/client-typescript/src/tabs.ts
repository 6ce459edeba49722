/**
 * The tab machine, which decides which tab of a browser holds the socket.
 *
 * The machine is a pure step `(state, input) -> state and effects`, without clock, timer, randomness or I/O. Each
 * input contains the time. The rules T1 to T14 are in docs/spec/tabs.md.
 *
 * The machine does not elect the leader (T1). The holder of the socket takes part in the channel's election on its own
 * connection. The ranking machine and the hub ensure that at most one member leads. An error in this machine can
 * therefore open a second socket or leave the tabs without a socket, but never causes a second leader.
 */
import type { LossReason } from "@doyen/tabs/api";
import type { Moment } from "./moment.js";
import type { Bid, Holder, TabEffect, TabInput, TabState, TabStep } from "./tabs-state.js";
import type { FromHolder, TabMessage } from "./tab-messages.js";

export { believes, holds, initialTab } from "./tabs-state.js";
export type { Holder, TabEffect, TabInput, TabSettings, TabState, TabStep } from "./tabs-state.js";

/**
 * The time for which a hidden holder counts as slow after a late timer. Browsers run the timers of a throttled tab once
 * a minute, and this time is longer.
 */
const SLOW_MEMORY_MILLIS = 70_000;
/** Runs one step. The caller must perform the effects in their order. */
export function stepTab(before: TabState, at: Moment, input: TabInput): TabStep {
  const work = new Work(before, at);
  work.wake();
  work.take(input);
  work.decide();
  return { state: work.state, effects: work.effects, wakeAt: wakeAt(work.state) };
}

/** A mutable working copy of the state during one step. The function `stepTab` as a whole is pure. */
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

  /**
   * Applies T6 before any other rule. A tab that did not run has received no messages, so it cannot judge the
   * silence.
   */
  wake(): void {
    const { due, settings, phase } = this.state;
    if (phase !== "open") return;
    const late = Math.max(this.now - due.now, this.at.wall - due.wall);
    if (late > settings.lagMillis) {
      this.set({ laggedAt: this.now, quietSince: this.now, round: null, lastBid: null });
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
        this.set({ phase: "open", visible: input.visible, quietSince: this.now, laggedAt: null, requestAt: this.now });
        this.rearm();
        return this.post({ kind: "hello", visible: input.visible });
      case "granted":
        return this.granted();
      case "robbed":
        if (state.lock !== "held") return;
        this.shut("superseded");
        return this.set({ lock: "none", quietSince: this.now, round: null });
      case "released":
        if (state.lock === "releasing") this.set({ lock: "none", quietSince: this.now });
        return;
      case "received":
        if (state.phase === "open") this.receive(input.message);
        return;
      case "visibility":
        if (state.phase !== "open" || state.visible === input.visible) return;
        this.set({ visible: input.visible });
        return this.post({ kind: "here", visible: input.visible });
      case "failed": {
        // T11: this tab releases the lock, because the hub perhaps accepts another tab's connection.
        if (state.lock !== "held") return;
        const { unfitMillis, unfitMaxMillis } = state.settings;
        const delay = doubled(unfitMillis, state.unfit, unfitMaxMillis);
        this.set({ unfit: state.unfit + 1, requestAt: this.now + delay });
        return this.releaseLock("superseded", "left");
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

  /** Applies all rules to the state and the time. */
  decide(): void {
    const { state, now } = this;
    if (state.phase !== "open") return;
    if (state.lock === "none" && now >= state.requestAt) {
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
    // T10: a visible tab is the better holder, because its timers are not throttled. Pass the lock on only once,
    // because the visible tab is perhaps already closed.
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

  private releaseLock(reason: LossReason, when: "left" | "now"): void {
    this.shut(reason);
    this.post({ kind: "bye" });
    this.effects.push({ type: "release", when });
    this.set({ lock: "releasing" });
  }

  private shut(reason: LossReason): void {
    this.effects.push({ type: "shut", reason });
  }

  private go(phase: "away" | "closed", reason: LossReason, when: "left" | "now"): void {
    const { state } = this;
    if (state.phase === "closed" || state.phase === phase) return;
    if (state.lock === "held") this.releaseLock(reason, when);
    else {
      if (state.lock === "queued" || state.lock === "stealing") this.effects.push({ type: "leaveQueue" });
      // A page that freezes must release the lock at once. Otherwise it would hold the lock while it is frozen.
      if (state.lock === "releasing") this.effects.push({ type: "release", when });
      if (state.phase === "open") this.post({ kind: "bye" });
      this.set({ lock: state.lock === "releasing" ? "releasing" : "none" });
    }
    this.follow(null);
    this.set({ phase, round: null, lastBid: null, seenVisible: null, passed: false });
  }

  // -- Received messages

  private receive(message: TabMessage): void {
    const { state } = this;
    if (message.from === state.tab) {
      // T8: a tab that does not receive its own message cannot judge the silence of another tab.
      if (message.kind === "bid" && state.round !== null) this.set({ round: { ...state.round, echoed: true } });
      return;
    }
    switch (message.kind) {
      case "heartbeat":
      case "view":
      case "news":
      case "sent":
        return this.receiveFromHolder({ tab: message.from, generation: message.generation }, message);
      case "hello":
        this.see(message.from, message.visible);
        if (this.state.lock === "held") this.effects.push({ type: "inform", tab: message.from });
        return;
      case "here":
        return this.see(message.from, message.visible);
      case "bid":
        this.see(message.from, message.visible);
        return this.receiveBid({ tab: message.from, visible: message.visible });
      case "bye":
        if (state.seenVisible === message.from) this.set({ seenVisible: null });
        if (state.holder?.tab === message.from) {
          this.set({ quietSince: this.now });
          this.follow(null);
        }
        return;
      case "send":
        return; // The driver handles the message if it is for this tab.
    }
  }

  private receiveFromHolder(holder: Holder, message: FromHolder): void {
    const { state } = this;
    const known = state.holder;
    this.set({ maxGeneration: Math.max(state.maxGeneration, holder.generation) });
    if (state.lock === "held") return this.outdo(holder);
    // T4: a late message of an old holder is ignored, unless the newer holder has been silent for too long.
    const stale = holder.generation < state.maxGeneration || (known !== null && compareHolders(holder, known) < 0);
    if (stale && this.now - state.quietSince < state.settings.silentMillis) return;
    this.set({ quietSince: this.now, round: null, lastBid: null });
    this.set({ device: message.device });
    if (known?.tab === holder.tab && known.generation === holder.generation) return;
    if (message.stolen) this.coolDown(state.settings.stealCooldownMillis);
    this.follow(holder);
    // Send a hello to the new holder, unless its message already answers a hello of this tab.
    if (!("to" in message) || message.to !== state.tab) this.post({ kind: "hello", visible: state.visible });
  }

  /**
   * Raises this tab's generation above the generation of another holder (T4).
   *
   * Another tab can lose the lock while it is frozen. When that tab resumes, it still sends its own generation. The
   * current holder then chooses a higher generation.
   */
  private outdo(holder: Holder): void {
    if (holder.generation < this.state.generation) return;
    this.set({ generation: holder.generation + 1, maxGeneration: holder.generation + 1 });
    this.heartbeat();
  }

  private receiveBid(bid: Bid): void {
    const { state, now } = this;
    if (state.lock === "held") this.heartbeat();
    else if (state.round !== null) {
      this.set({ round: { ...state.round, best: better(bid, state.round.best) } });
    } else {
      this.set({ lastBid: { at: now, bid: this.bestWith(bid) } });
    }
  }

  /** Records whether a tab is visible. A slow hidden holder gives way to a visible tab (T10). */
  private see(tab: string, visible: boolean): void {
    const { state } = this;
    if (!visible) {
      if (state.seenVisible === tab) this.set({ seenVisible: null });
      return;
    }
    this.set({ seenVisible: tab });
    const slow = state.laggedAt !== null && this.now - state.laggedAt <= SLOW_MEMORY_MILLIS;
    if (state.lock !== "held" || state.visible || !slow || this.now < state.keepUntil) return;
    // Do not give way again for a while, because the visible tab is perhaps unable to connect.
    this.set({ keepUntil: this.now + SLOW_MEMORY_MILLIS, passed: true });
    this.releaseLock("superseded", "left");
  }

  // -- Stealing the lock

  /**
   * Applies T5 to T9. After a silence, the tab sends a steal request. The best of the requesting tabs then steals.
   */
  private watchHolder(): void {
    const { settings, quietSince, round, holder, stealCooldownUntil } = this.state;
    const { now } = this;
    if (now - quietSince < settings.silentMillis) return;
    if (holder !== null) this.follow(null);
    if (round === null) {
      if (now >= stealCooldownUntil) this.bid();
      return;
    }
    if (now - round.since < settings.bidMillis) return;
    this.set({ round: null, lastBid: null, quietSince: now });
    if (round.best.tab === this.state.tab && round.echoed) this.steal();
  }

  private bid(): void {
    const { tab, visible } = this.state;
    this.set({ round: { since: this.now, best: this.bestWith({ tab, visible }), echoed: false } });
    this.post({ kind: "bid", visible });
  }

  /**
   * Returns the better of this request and the last request of another tab. An old request does not count, because its
   * tab has already acted on it.
   */
  private bestWith(bid: Bid): Bid {
    const { lastBid, settings } = this.state;
    const lately = lastBid !== null && this.now - lastBid.at <= settings.bidMillis + settings.lagMillis;
    return lately ? better(bid, lastBid.bid) : bid;
  }

  private steal(): void {
    const { settings, stoleAt } = this.state;
    const steals = this.now - stoleAt > settings.stealCooldownMaxMillis ? 0 : this.state.steals;
    this.set({ lock: "stealing", steals: steals + 1, stoleAt: this.now });
    this.coolDown(doubled(settings.stealCooldownMillis, steals, settings.stealCooldownMaxMillis));
    this.effects.push({ type: "leaveQueue" }, { type: "steal" });
  }

  private coolDown(millis: number): void {
    this.set({ stealCooldownUntil: Math.max(this.state.stealCooldownUntil, this.now + millis) });
  }

  // -- Helpers

  private follow(holder: Holder | null): void {
    if (holder === null && this.state.holder === null) return;
    this.set({ holder });
    this.effects.push({ type: "follow", holder });
  }

  private heartbeat(): void {
    this.post({ kind: "heartbeat" });
  }

  private post(message: (TabEffect & { type: "send" })["message"]): void {
    this.effects.push({ type: "send", message });
  }

  /** Sets the time of the next tick. A holder sends a heartbeat at each tick. */
  private rearm(): void {
    const { heartbeatMillis } = this.state.settings;
    this.set({ due: { now: this.now + heartbeatMillis, wall: this.at.wall + heartbeatMillis } });
  }

  private set(change: Partial<TabState>): void {
    this.state = { ...this.state, ...change };
  }
}

/** Compares holders by generation, then by tab. The result is negative if `a` precedes `b`. */
function compareHolders(a: Holder, b: Holder): number {
  return a.generation - b.generation || (a.tab < b.tab ? -1 : a.tab > b.tab ? 1 : 0);
}

/**
 * Returns the better request: visible tabs first, then the lower name (T7). All tabs select the same request, even if
 * they receive the requests in a different order.
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
  if (state.lock === "none") times.push(state.requestAt);
  return Math.min(...times);
}

function unreachable(input: never): never {
  throw new Error(`unknown input ${JSON.stringify(input)}`);
}
