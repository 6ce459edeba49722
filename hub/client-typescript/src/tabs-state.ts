/**
 * The inputs, effects and state of the tab machine, and the queries of its driver.
 *
 * The rules are in docs/spec/tabs.md and in `tabs.ts`.
 */
import type { LossReason } from "@doyen/tabs/api";
import type { Moment } from "./moment.js";
import type { TabContent, TabMessage } from "./tab-messages.js";

/** The settings of the tab machine, with all times in milliseconds. */
export interface TabSettings {
  /** The interval of the holder's heartbeats. Browsers run the timers of a hidden tab at most once a second. */
  readonly heartbeatMillis: number;
  /** The silence of the holder after which the other tabs send a steal request (T5). */
  readonly silentMillis: number;
  /**
   * The time that a tab waits after its steal request (T7). The tab waits for the holder's answer and for requests of
   * other tabs.
   */
  readonly bidMillis: number;
  /** The delay of a timer that shows that the tab itself did not run (T6). */
  readonly lagMillis: number;
  /**
   * The time after a steal in which no tab steals again (T9). For the tab that stole, this time doubles with each
   * steal, up to `stealCooldownMaxMillis`.
   */
  readonly stealCooldownMillis: number;
  readonly stealCooldownMaxMillis: number;
  /**
   * The delay before a tab with a rejected connection requests the lock again (T11). The delay doubles with each
   * rejection, up to `unfitMaxMillis`.
   */
  readonly unfitMillis: number;
  readonly unfitMaxMillis: number;
}

export type TabInput =
  | { readonly type: "start"; readonly visible: boolean }
  /** This tab acquired the lock, in its turn or by stealing. */
  | { readonly type: "granted" }
  /** Another tab stole the lock. */
  | { readonly type: "robbed" }
  /** This tab has released the lock. */
  | { readonly type: "released" }
  | { readonly type: "received"; readonly message: TabMessage }
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
  /** Requests the lock at the end of the queue. */
  | { readonly type: "ask" }
  | { readonly type: "leaveQueue" }
  | { readonly type: "steal" }
  /** Releases the lock, after the swarm has left the channel or at once. */
  | { readonly type: "release"; readonly when: "left" | "now" }
  /** Opens a swarm on a new connection, under this client id. */
  | { readonly type: "open"; readonly device: string }
  | { readonly type: "shut"; readonly reason: LossReason }
  | { readonly type: "send"; readonly message: TabContent | { readonly kind: "heartbeat" } }
  /** Sends the holder's view to that tab. */
  | { readonly type: "inform"; readonly tab: string }
  /** Follows this holder from now on. The value is null if no holder is known. */
  | { readonly type: "follow"; readonly holder: Holder | null };

export interface Holder {
  readonly tab: string;
  /** The generation. It separates late messages of an old holder from messages of the new holder (T4). */
  readonly generation: number;
}

export interface Bid {
  readonly tab: string;
  readonly visible: boolean;
}

export interface TabState {
  readonly settings: TabSettings;
  readonly tab: string;
  /** The client id of this browser. This id is that of the last holder, or otherwise this tab's own proposal. */
  readonly device: string;
  readonly phase: "new" | "open" | "away" | "closed";
  readonly lock: "none" | "queued" | "stealing" | "held" | "releasing";
  readonly visible: boolean;
  readonly holder: Holder | null;
  readonly maxGeneration: number;
  /** The generation of this tab while it holds the lock. */
  readonly generation: number;
  /** True if this tab stole the lock. */
  readonly stolen: boolean;
  /** The time at which the holder's silence began. Time in which this tab did not run does not count (T6). */
  readonly quietSince: number;
  /**
   * The time at which the next tick is due, by both clocks. The monotonic clock can stop while the computer is
   * suspended.
   */
  readonly due: Moment;
  /** The time at which this tab last found that it had not run (T6). */
  readonly laggedAt: number | null;
  readonly round: { readonly since: number; readonly best: Bid; readonly echoed: boolean } | null;
  /** The best steal request of another tab from the time before this tab's own request. */
  readonly lastBid: { readonly at: number; readonly bid: Bid } | null;
  readonly stealCooldownUntil: number;
  readonly steals: number;
  readonly stoleAt: number;
  readonly unfit: number;
  readonly requestAt: number;
  /**
   * The last tab that reported itself visible. The value is null if that tab has since reported itself hidden or
   * closed.
   */
  readonly seenVisible: string | null;
  /** True if this tab has already passed the lock on to a visible tab (T10). */
  readonly passed: boolean;
  /** The time until which this tab does not pass the lock to visible tabs (T10). */
  readonly keepUntil: number;
}

export interface TabStep {
  readonly state: TabState;
  readonly effects: readonly TabEffect[];
  /** The time of the next `tick`; null if no work is pending. */
  readonly wakeAt: number | null;
}

const EPOCH: Moment = { now: 0, wall: 0 };

/**
 * Returns the state before the tab takes part. `tab` is the unguessable name of the tab, and `device` is the client
 * id that the tab proposes.
 */
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
    lastBid: null,
    stealCooldownUntil: -Infinity,
    steals: 0,
    stoleAt: -Infinity,
    unfit: 0,
    requestAt: 0,
    seenVisible: null,
    passed: false,
    keepUntil: -Infinity,
  };
}

/** Returns true if this tab holds the lock and therefore the socket. */
export function holds(state: TabState): boolean {
  return state.lock === "held";
}

/** Returns true if the message comes from the holder that this tab follows (T4). */
export function believes(state: TabState, message: TabMessage): boolean {
  const { holder } = state;
  return holder !== null && holder.tab === message.from && holder.generation === message.generation;
}
