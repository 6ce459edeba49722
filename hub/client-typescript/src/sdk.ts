import { Realtime, type ClientOptions } from "ably";
import type { RealtimeClient } from "./realtime.js";

/** Creates a client of the complete `ably` package. A bundle for browsers contains `sdk-browser.ts` instead. */
export function newClient(options: ClientOptions): RealtimeClient {
  return new Realtime(options) as RealtimeClient;
}

/**
 * Sends a ping, and resolves when the hub has answered. Rejects if no answer arrives within 10 s.
 *
 * The SDK never clears the timer of this limit. With this function, the timer does not delay the exit of a process that
 * has closed its swarm.
 */
export function ping(client: RealtimeClient): Promise<number> {
  const config = (client as { Platform?: { Config?: { setTimeout: typeof setTimeout } } }).Platform?.Config;
  if (config === undefined) return client.connection.ping();
  const original = config.setTimeout;
  config.setTimeout = ((run: () => void, millis: number) => {
    const timer = original(run, millis) as number | { unref(): void };
    if (typeof timer === "object") timer.unref();
    return timer;
  }) as typeof setTimeout;
  try {
    return client.connection.ping(); // The SDK starts the timer before it returns.
  } finally {
    config.setTimeout = original;
  }
}
