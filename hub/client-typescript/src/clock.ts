import type { Moment } from "./moment.js";

/** The clocks and timers of a swarm. Tests and simulations replace them. */
export interface Clock {
  /** Returns the time of a monotonic clock in milliseconds, with any origin. */
  monotonicMillis(): number;
  /** Returns the wall-clock time in milliseconds since 1970. The wall clock can jump. */
  wallMillis(): number;
  /** Calls `callback` once after at least `millis`. Returns a function that cancels the call. */
  after(millis: number, callback: () => void): () => void;
}

/** The delay before a loop runs again after it has failed to process an input. */
export const AGAIN_MILLIS = 1000;

/** The clocks and timers of the browser or of Node. */
export const systemClock: Clock = {
  monotonicMillis: () => performance.now(),
  wallMillis: () => Date.now(),
  after(millis, callback) {
    const timer = setTimeout(callback, millis);
    return () => clearTimeout(timer);
  },
};

/** Returns a promise that resolves after `settles` has resolved or rejected, or after `millis`. */
export function settledWithin(clock: Clock, millis: number, settles: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(millis, resolve);
    const done = () => {
      cancel();
      resolve();
    };
    settles.then(done, done);
  });
}

/** Reads the monotonic clock and the wall clock. */
export function momentOf(clock: Clock): Moment {
  return { now: clock.monotonicMillis(), wall: clock.wallMillis() };
}
