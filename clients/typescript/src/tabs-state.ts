/**
 * What the tab machine is told, wants done, and knows between two inputs; and the questions that a driver asks of it.
 *
 * Source: docs/spec/tabs.md. The rules are in `tabs.ts`.
 */
import type { Moment } from "./moment.js";
import type { LossReason } from "./ranking-state.js";
import type { TabSays, Word } from "./tab-words.js";

/** All times in milliseconds. */
export interface TabSettings {
  /** How often the holder says that it is alive. Browsers let the timers of a hidden tab run once a second. */
  readonly beatMillis: number;
  /** After how much silence of the holder the others ask whether it still lives. */
  readonly silentMillis: number;
  /** How long they then wait for an answer, and for each other's bids. */
  readonly bidMillis: number;
  /** A timer that is later than this shows that the tab itself stood still. */
  readonly lagMillis: number;
  /** For how long after a steal nobody steals; doubles for the tab that stole, up to `restMaxMillis`. */
  readonly restMillis: number;
  readonly restMaxMillis: number;
  /** For how long a tab whose connection failed leaves the lock to others; doubles up to `unfitMaxMillis`. */
  readonly unfitMillis: number;
  readonly unfitMaxMillis: number;
}

export type TabInput =
  | { readonly type: "start"; readonly visible: boolean }
  /** The lock is this tab's, by its turn or by its steal. */
  | { readonly type: "granted" }
  /** Another tab stole the lock. */
  | { readonly type: "robbed" }
  /** The lock that this tab gave back is given back. */
  | { readonly type: "released" }
  | { readonly type: "heard"; readonly word: Word }
  | { readonly type: "visibility"; readonly visible: boolean }
  /** The hub refused this tab's connection. */
  | { readonly type: "failed" }
  | { readonly type: "connected" }
  | { readonly type: "tick" }
  /** The page is about to stand still: frozen, or kept for the back button. */
  | { readonly type: "away" }
  | { readonly type: "back"; readonly visible: boolean }
  | { readonly type: "close" };

export type TabEffect =
  /** Wait for the lock, behind all who wait already. */
  | { readonly type: "ask" }
  | { readonly type: "leaveQueue" }
  | { readonly type: "steal" }
  /** Give the lock back: when the swarm has left the channel, or at once because this page has no time. */
  | { readonly type: "release"; readonly when: "left" | "now" }
  /** Open a swarm on a connection of its own, under this client id. */
  | { readonly type: "open"; readonly device: string }
  | { readonly type: "shut"; readonly reason: LossReason }
  | { readonly type: "say"; readonly word: TabSays | { readonly kind: "beat" } }
  /** Tell that tab what the holder knows. */
  | { readonly type: "inform"; readonly tab: string }
  /** Believe this holder from now on; null: nobody holds the socket, as far as this tab knows. */
  | { readonly type: "follow"; readonly holder: Holder | null };

export interface Holder {
  readonly tab: string;
  /** Rises from holder to holder, so that what an old one said last is told from what the new one says. */
  readonly tenure: number;
}

export interface Bid {
  readonly tab: string;
  readonly visible: boolean;
}

export interface TabState {
  readonly settings: TabSettings;
  readonly tab: string;
  /** The client id of this browser: the last holder's, else this tab's own proposal. */
  readonly device: string;
  readonly phase: "new" | "open" | "away" | "closed";
  readonly lock: "none" | "queued" | "stealing" | "held" | "releasing";
  readonly visible: boolean;
  readonly holder: Holder | null;
  readonly maxTenure: number;
  /** This tab's own tenure while it holds the lock, and whether it came by stealing. */
  readonly tenure: number;
  readonly stolen: boolean;
  /** Since when the holder has been silent while this tab was awake and listening. */
  readonly quietSince: number;
  /** When this tab's next tick is owed; by both clocks, because a suspended machine may stop the monotonic one. */
  readonly due: Moment;
  /** When this tab last found that it had stood still. */
  readonly laggedAt: number | null;
  readonly round: { readonly since: number; readonly best: Bid; readonly echoed: boolean } | null;
  /** The best bid of another tab that was heard while this one had not yet bid. */
  readonly heardBid: { readonly at: number; readonly bid: Bid } | null;
  readonly restUntil: number;
  readonly steals: number;
  readonly stoleAt: number;
  readonly unfit: number;
  readonly askAt: number;
  /** A tab that said it is visible, and has not said otherwise. */
  readonly seenVisible: string | null;
  /** Passed the lock on once already, to let a visible tab have it. */
  readonly passed: boolean;
  /** Until when it makes way for nobody, having done so. */
  readonly keepUntil: number;
}

export interface TabStep {
  readonly state: TabState;
  readonly effects: readonly TabEffect[];
  /** When a `tick` is owed; null if nothing is waiting. */
  readonly wakeAt: number | null;
}

const EPOCH: Moment = { now: 0, wall: 0 };

/** Before the tab takes part. `tab` is unguessable and its own; `device` is what it proposes as client id. */
export function initialTab(settings: TabSettings, tab: string, device: string): TabState {
  return {
    settings,
    tab,
    device,
    phase: "new",
    lock: "none",
    visible: true,
    holder: null,
    maxTenure: 0,
    tenure: 0,
    stolen: false,
    quietSince: 0,
    due: EPOCH,
    laggedAt: null,
    round: null,
    heardBid: null,
    restUntil: -Infinity,
    steals: 0,
    stoleAt: -Infinity,
    unfit: 0,
    askAt: 0,
    seenVisible: null,
    passed: false,
    keepUntil: -Infinity,
  };
}

/** Whether this tab holds the lock, and so the socket. */
export function holds(state: TabState): boolean {
  return state.lock === "held";
}

/** Whether what this holder says is to be believed: it is the one this tab follows (T4). */
export function believes(state: TabState, word: Word): boolean {
  const { holder } = state;
  return holder !== null && holder.tab === word.from && holder.tenure === word.tenure;
}
