import type { Checkpoint, LossReason } from "./api.js";

/** The inputs and effects of the machine in `lease.ts`. The rules B1 to B10 are in docs/spec/browser-lease.md. */

/** One reading of the monotonic clock and the wall clock, in milliseconds. The wall clock detects a suspension (B5). */
export interface Moment {
  readonly now: number;
  readonly wall: number;
}

/** The lease record of a channel in the browser's IndexedDB. */
export interface LeaseRecord {
  readonly term: number;
  /** The tab that holds the lease, or null after a release. */
  readonly holder: string | null;
  /** The number of the holder's claim. The holder and this number name the Web Lock of the leadership (B6). */
  readonly claim: number;
  /** The number of the holder's last write, which is a claim or a renewal. */
  readonly renewal: number;
  readonly ttl: number;
  readonly saved?: Checkpoint;
}

/** The settings of the machine, with all times in milliseconds. */
export interface LeaseSettings {
  readonly candidate: boolean;
  readonly ttlMillis: number;
  readonly cooldownMillis: number;
}

export type LeaseInput =
  | { readonly type: "start"; readonly visible: boolean }
  | { readonly type: "visibility"; readonly visible: boolean }
  /** A read, a claim or a renewal has ended. `done` is true if it has changed the record as requested. */
  | { readonly type: "stored"; readonly record: LeaseRecord | null; readonly done: boolean }
  /** A read, a claim or a renewal has failed. Its outcome is unknown. */
  | { readonly type: "failed" }
  /** The work of the last leadership has stopped, and its release has ended. */
  | { readonly type: "released" }
  /** The Web Lock of this name has ended. */
  | { readonly type: "gone"; readonly lock: string }
  /** Another tab has changed the record. */
  | { readonly type: "changed" }
  | { readonly type: "tick" | "resign" | "away" | "close" };

export type LeaseEffect =
  | { readonly type: "read" }
  /**
   * Holds the lock of the new record, and then writes the record if the stored record is still `expected`. The saved
   * state of the stored record stays.
   */
  | { readonly type: "claim"; readonly expected: LeaseRecord | null; readonly record: LeaseRecord }
  /** Writes the ttl and the number into the record, if this tab still holds the lease in that term. */
  | { readonly type: "renew"; readonly term: number; readonly renewal: number; readonly ttl: number }
  | { readonly type: "startWork"; readonly term: number }
  /**
   * Stops the work, and releases the lease and the lock after the work has stopped, or at once. Without a reason, this
   * tab has never led in this term.
   */
  | {
      readonly type: "release";
      readonly term: number;
      readonly atOnce: boolean;
      readonly reason: LossReason | undefined;
    };

/** The leader in the view of this tab. */
export interface LeaderView {
  readonly id: string;
  readonly term: number;
}

/** The result of a step. The caller performs the effects in their order. */
export interface LeaseStep {
  readonly effects: readonly LeaseEffect[];
  /** The lock for whose end the caller waits. */
  readonly watched: string | undefined;
  /** The leader in the view of this tab. The object is the same as in the last step if nothing has changed. */
  readonly shown: LeaderView | null;
  /** The time of the next `tick`; undefined if no work is pending. */
  readonly wakeAt: number | undefined;
}

export interface LeaseMachine {
  step(at: Moment, input: LeaseInput): LeaseStep;
  /** Returns the milliseconds that this tab may lead without another confirmed write (B5). */
  remainingMillis(at: Moment): number;
}
