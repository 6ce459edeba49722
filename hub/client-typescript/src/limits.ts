import type { Clock } from "./clock.js";
import { within } from "./options.js";

/** The limits of a call of `connect`. */
export interface ConnectLimits {
  /** If this signal aborts first, the swarm closes, and `connect` rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
  /** If this time passes first, the swarm closes, and `connect` rejects. */
  readonly timeoutMillis?: number;
}

/**
 * Calls `connect`, which must not throw. If a limit is reached before the result, calls `close` and rejects.
 */
export function withinLimits(
  clock: Clock,
  { signal, timeoutMillis }: ConnectLimits,
  address: string,
  connect: () => Promise<void>,
  close: () => Promise<void>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let cancel = (): void => {};
    const forget = (): void => {
      signal?.removeEventListener("abort", abort);
      cancel();
    };
    const stop = (reason: unknown): void => {
      forget();
      reject(reason);
      void close();
    };
    const abort = (): void => stop(signal?.reason);
    if (signal?.aborted === true) return abort();
    if (timeoutMillis !== undefined) {
      within("timeoutMillis", timeoutMillis, 1, 2 ** 31 - 1);
      cancel = clock.after(timeoutMillis, () =>
        stop(new Error(`not connected to ${address} within ${timeoutMillis} ms, so the swarm was closed`)),
      );
    }
    signal?.addEventListener("abort", abort);
    connect().then(resolve, reject).finally(forget);
  });
}
