import type { Moment } from "./moment.js";

/** The time a swarm runs on. Tests and simulations bring their own. */
export interface Clock {
  /** Milliseconds that never go back; any origin. */
  monotonicMillis(): number;
  /** Milliseconds since 1970; may jump. */
  wallMillis(): number;
  /** Calls back once, not earlier than that; returns what cancels it. */
  after(millis: number, callback: () => void): () => void;
}

/** After a fault, a loop looks at the time again this late. */
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

/** Settles when this does, in either way, or when the time is over. */
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

/** What both clocks say now. */
export function momentOf(clock: Clock): Moment {
  return { now: clock.monotonicMillis(), wall: clock.wallMillis() };
}
