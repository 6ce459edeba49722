import type { Leadership } from "@doyen/swarm";
import type { Count } from "./count.js";

/** The name of the messages that contain a number. */
export const TICK = "count";

/**
 * Advances the count until the leadership ends. A number is published only after the hub has accepted the previous
 * number. If the hub does not accept a number although this page leads, the page reports the failure and continues.
 */
export async function lead(
  leadership: Leadership,
  count: Count,
  tickMillis: number,
  onError: (error: unknown) => void,
): Promise<void> {
  while (!leadership.signal.aborted) {
    const tick = count.next(leadership.term);
    try {
      await leadership.publish(TICK, tick);
    } catch (error) {
      if (leadership.signal.aborted) return; // The next leader continues the count.
      onError(error);
    }
    await pause(tickMillis, leadership.signal);
  }
}

function pause(millis: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, millis);
    signal.addEventListener("abort", end);
  });
}
