/** The time, chance and network that an elector's client runs on. Tests bring their own. */
export interface Platform {
  fetch(url: URL, init: { headers: Record<string, string>; signal: AbortSignal }): Promise<Response>;
  /** Milliseconds that never go back; any origin. */
  now(): number;
  /** Calls back once, not earlier than that; returns what cancels it. */
  after(millis: number, callback: () => void): () => void;
  /** From 0 to 1. */
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

/** What the promise comes to, or that the time is over. The promise goes on, and may be waited for again. */
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

/** Waits so long, or until the signal aborts. */
export async function pause(platform: Platform, millis: number, signal: AbortSignal): Promise<void> {
  let stop = (): void => {};
  const aborted = new Promise<void>((resolve) => (stop = resolve));
  signal.addEventListener("abort", stop);
  if (!signal.aborted) await within(platform, millis, aborted);
  signal.removeEventListener("abort", stop);
}
