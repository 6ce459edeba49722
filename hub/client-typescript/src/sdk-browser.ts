import type { ClientOptions } from "ably";
import { BaseRealtime, FetchRequest, RealtimePresence, WebSocketTransport } from "ably/modular";
import type { RealtimeClient } from "./realtime.js";

/**
 * Creates a client with the parts of the `ably` package that a swarm needs.
 *
 * The client has no other transport than WebSocket, and always uses JSON. The application can add parts with the option
 * `plugins` of the `ably` package.
 */
export function newClient(options: ClientOptions): RealtimeClient {
  const plugins = { WebSocketTransport, FetchRequest, RealtimePresence, ...options.plugins };
  return new BaseRealtime({ ...options, plugins }) as RealtimeClient;
}

export function ping(client: RealtimeClient): Promise<number> {
  return client.connection.ping();
}

export function close(client: RealtimeClient): void {
  client.close();
}
