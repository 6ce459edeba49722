import type { Moment } from "./moment.js";

/** The clocks and timers of a swarm. Tests and simulations replace them. */
export interface Clock {
  /** Monotonic clock in milliseconds, with any origin. */
  monotonicMillis(): number;
  /** Wall clock in milliseconds since 1970; it may jump. */
  wallMillis(): number;
  /** Calls `callback` once after at least `millis`. Returns a function that cancels it. */
  after(millis: number, callback: () => void): () => void;
}

/** Delay until a loop runs again after an input on which it failed. */
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

/** Resolves when the promise settles in either way, or after `millis`. */
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

/** Reads both clocks. */
export function momentOf(clock: Clock): Moment {
  return { now: clock.monotonicMillis(), wall: clock.wallMillis() };
}
