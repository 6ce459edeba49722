import { hubOptions } from "@doyen/swarm";
import { Realtime } from "ably";
import ably1 from "ably-1";
import { KEY } from "./program.js";

/** The methods of an SDK's realtime client that both major versions share. */
export interface SdkClient {
  readonly auth: { readonly clientId: string };
  readonly connection: {
    readonly id?: string;
    readonly state: string;
    once(state: string, listener: (change: unknown) => void): void;
    on(listener: (change: { current: string; reason?: { code: number } }) => void): void;
    ping(): Promise<number>;
  };
  readonly channels: { get(name: string, options?: object): SdkChannel };
  close(): void;
}

export interface SdkChannel {
  readonly state: string;
  readonly params: Readonly<Record<string, string>>;
  readonly errorReason: { code: number; message: string } | null;
  attach(): Promise<unknown>;
  detach(): Promise<unknown>;
  publish(name: string, data: unknown): Promise<unknown>;
  subscribe(listener: (message: SdkMessage) => void): Promise<unknown>;
  history(): Promise<unknown>;
  readonly presence: {
    enter(data?: unknown): Promise<unknown>;
    update(data?: unknown): Promise<unknown>;
    leave(): Promise<unknown>;
    get(): Promise<SdkMember[]>;
    subscribe(listener: (member: SdkMember) => void): Promise<unknown>;
  };
}

export interface SdkMessage {
  readonly id: string;
  readonly name: string;
  readonly data: unknown;
  readonly clientId?: string;
}

export interface SdkMember {
  readonly action: string;
  readonly clientId: string;
  readonly connectionId: string;
  readonly data: unknown;
}

export interface Sdk {
  readonly name: string;
  connect(hub: URL, clientId: string, options?: object): SdkClient;
}

/** The official SDKs, unmodified. The option `useBinaryProtocol` of `connect` selects the wire format. */
export const SDKS: readonly Sdk[] = [
  {
    name: "ably 2.28.0",
    connect: (hub, clientId, options) =>
      new Realtime(
        hubOptions({
          key: KEY,
          clientId,
          endpoint: "localhost",
          port: Number(hub.port),
          tls: false,
          logLevel: 0,
          ...options,
        }),
      ) as unknown as SdkClient,
  },
  {
    name: "ably 1.2.50",
    connect: (hub, clientId, options) =>
      new ably1.Realtime.Promise({
        key: KEY,
        clientId,
        restHost: "localhost",
        realtimeHost: "localhost",
        port: Number(hub.port),
        tls: false,
        disableConnectivityCheck: true,
        log: { level: 0 },
        ...options,
      }) as unknown as SdkClient,
  },
];

export function connected(client: SdkClient): Promise<void> {
  return new Promise((resolve, reject) => {
    if (client.connection.state === "connected") return resolve();
    client.connection.once("connected", () => resolve());
    client.connection.once("failed", (change) => reject(new Error(`connection failed: ${JSON.stringify(change)}`)));
  });
}
