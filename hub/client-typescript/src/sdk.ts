import { Realtime, type ClientOptions } from "ably";
import type { RealtimeClient } from "./realtime.js";

/** The time for which a hub can answer the end of a connection. */
const CLOSE_MILLIS = 100;

/** The part of the SDK's private fields that leads to the socket. */
interface Transport {
  readonly wsConnection?: { terminate?(): void };
}
interface ConnectionManager {
  readonly activeProtocol?: { getTransport(): Transport };
  readonly pendingTransport?: Transport;
}

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
    const timer = original(run, millis);
    letExit(timer);
    return timer;
  }) as typeof setTimeout;
  try {
    return client.connection.ping(); // The SDK starts the timer before it returns.
  } finally {
    config.setTimeout = original;
  }
}

/**
 * Closes the client.
 *
 * If the hub does not answer, the `ws` package would destroy the socket only after 30 s, and the process could not exit
 * until then. So this function destroys the socket after 100 ms. The timer itself does not delay the exit.
 */
export function close(client: RealtimeClient): void {
  const manager = (client.connection as { connectionManager?: ConnectionManager }).connectionManager;
  const socket = (manager?.activeProtocol?.getTransport() ?? manager?.pendingTransport)?.wsConnection;
  client.close();
  if (socket?.terminate !== undefined) letExit(setTimeout(() => socket.terminate?.(), CLOSE_MILLIS));
}

/** Lets the process exit before the timer fires. */
function letExit(timer: unknown): void {
  (timer as { unref?(): void }).unref?.();
}
