/** The clock, timers, random numbers and network of the client, which tests replace. */
export interface Platform {
  fetch(url: URL, init: { headers: Record<string, string>; signal: AbortSignal }): Promise<Response>;
  /** Returns the time of a monotonic clock in milliseconds, with any origin. */
  now(): number;
  /** Calls `callback` once after at least `millis`. The returned function cancels the call. */
  after(millis: number, callback: () => void): () => void;
  /** Returns a random number between 0 and 1. */
  random(): number;
}

export const SYSTEM: Platform = {
  fetch: (url, init) => fetch(url, { ...init, cache: "no-store" }),
  now: () => performance.now(),
  after(millis, callback) {
    const timer = setTimeout(callback, millis);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};

export const TOO_LATE: unique symbol = Symbol("too late");

/**
 * Resolves with the promise's result, or with `TOO_LATE` after `millis`. The promise stays pending and can be awaited
 * again.
 */
export async function within<T>(platform: Platform, millis: number, promise: Promise<T>): Promise<T | typeof TOO_LATE> {
  let cancel = (): void => {};
  const late = new Promise<typeof TOO_LATE>((resolve) => {
    cancel = platform.after(Math.max(millis, 0), () => resolve(TOO_LATE));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    cancel();
  }
}

/** Waits for `millis` or until the signal aborts. */
export async function pause(platform: Platform, millis: number, signal: AbortSignal): Promise<void> {
  let stop = (): void => {};
  const aborted = new Promise<void>((resolve) => (stop = resolve));
  signal.addEventListener("abort", stop);
  if (!signal.aborted) await within(platform, millis, aborted);
  signal.removeEventListener("abort", stop);
}
