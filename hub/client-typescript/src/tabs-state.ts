/**
 * The inputs, effects and state of the tab machine, and the queries of its driver.
 *
 * Source: docs/spec/tabs.md. The rules are in `tabs.ts`.
 */
import type { Moment } from "./moment.js";
import type { LossReason } from "./ranking-state.js";
import type { TabSays, Word } from "./tab-words.js";

/** All times in milliseconds. */
export interface TabSettings {
  /** Interval of the holder's heartbeats. Browsers run the timers of a hidden tab once a second. */
  readonly heartbeatMillis: number;
  /** After this silence of the holder the others send a steal request (T5). */
  readonly silentMillis: number;
  /** How long a tab then waits for the holder and for requests of other tabs (T7). */
  readonly bidMillis: number;
  /** A timer that is later than this shows that the tab itself did not run (T6). */
  readonly lagMillis: number;
  /** No tab steals for this time after a steal (T9). It doubles for the tab that stole, up to `restMaxMillis`. */
  readonly restMillis: number;
  readonly restMaxMillis: number;
  /** Delay before a tab with a rejected connection asks for the lock (T11). It doubles up to `unfitMaxMillis`. */
  readonly unfitMillis: number;
  readonly unfitMaxMillis: number;
}

export type TabInput =
  | { readonly type: "start"; readonly visible: boolean }
  /** This tab got the lock, in its turn or by stealing. */
  | { readonly type: "granted" }
  /** Another tab stole the lock. */
  | { readonly type: "robbed" }
  /** This tab has released the lock. */
  | { readonly type: "released" }
  | { readonly type: "heard"; readonly word: Word }
  | { readonly type: "visibility"; readonly visible: boolean }
  /** The hub rejected this tab's connection. */
  | { readonly type: "failed" }
  | { readonly type: "connected" }
  | { readonly type: "tick" }
  /** The page is about to freeze or to go to the back-forward cache. */
  | { readonly type: "away" }
  | { readonly type: "back"; readonly visible: boolean }
  | { readonly type: "close" };

export type TabEffect =
  /** Ask for the lock, at the end of the queue. */
  | { readonly type: "ask" }
  | { readonly type: "leaveQueue" }
  | { readonly type: "steal" }
  /** Release the lock: after the swarm has left the channel, or at once. */
  | { readonly type: "release"; readonly when: "left" | "now" }
  /** Open a swarm on a new connection, under this client id. */
  | { readonly type: "open"; readonly device: string }
  | { readonly type: "shut"; readonly reason: LossReason }
  | { readonly type: "say"; readonly word: TabSays | { readonly kind: "heartbeat" } }
  /** Send the holder's view to that tab. */
  | { readonly type: "inform"; readonly tab: string }
  /** Follow this holder from now on; null if no holder is known. */
  | { readonly type: "follow"; readonly holder: Holder | null };

export interface Holder {
  readonly tab: string;
  /** The generation. It separates late messages of an old holder from those of the new one (T4). */
  readonly generation: number;
}

export interface Bid {
  readonly tab: string;
  readonly visible: boolean;
}

export interface TabState {
  readonly settings: TabSettings;
  readonly tab: string;
  /** The client id of this browser: that of the last holder, else this tab's own proposal. */
  readonly device: string;
  readonly phase: "new" | "open" | "away" | "closed";
  readonly lock: "none" | "queued" | "stealing" | "held" | "releasing";
  readonly visible: boolean;
  readonly holder: Holder | null;
  readonly maxGeneration: number;
  /** This tab's own generation while it holds the lock, and whether it stole the lock. */
  readonly generation: number;
  readonly stolen: boolean;
  /** Start of the holder's silence, not counting time in which this tab did not run (T6). */
  readonly quietSince: number;
  /** When the next tick is due, by both clocks. The monotonic one may stop on a suspended machine. */
  readonly due: Moment;
  /** When this tab last found that it had not run (T6). */
  readonly laggedAt: number | null;
  readonly round: { readonly since: number; readonly best: Bid; readonly echoed: boolean } | null;
  /** The best steal request of another tab that came before this tab sent its own. */
  readonly heardBid: { readonly at: number; readonly bid: Bid } | null;
  readonly restUntil: number;
  readonly steals: number;
  readonly stoleAt: number;
  readonly unfit: number;
  readonly askAt: number;
  /** A tab that has reported itself visible, and not hidden or closed since. */
  readonly seenVisible: string | null;
  /** Whether this tab has already passed the lock on to a visible tab (T10). */
  readonly passed: boolean;
  /** Until then this tab does not give way again, because it has done so (T10). */
  readonly keepUntil: number;
}

export interface TabStep {
  readonly state: TabState;
  readonly effects: readonly TabEffect[];
  /** When the machine needs its next `tick`; null if nothing is pending. */
  readonly wakeAt: number | null;
}

const EPOCH: Moment = { now: 0, wall: 0 };

/** The state before the tab takes part. `tab` is its unguessable name; `device` is the client id that it proposes. */
export function initialTab(settings: TabSettings, tab: string, device: string): TabState {
  return {
    settings,
    tab,
    device,
    phase: "new",
    lock: "none",
    visible: true,
    holder: null,
    maxGeneration: 0,
    generation: 0,
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

/** Whether the message comes from the holder that this tab follows (T4). */
export function believes(state: TabState, word: Word): boolean {
  const { holder } = state;
  return holder !== null && holder.tab === word.from && holder.generation === word.generation;
}
