import { Rest } from "ably";
import ably1 from "ably-1";
import { KEY } from "./program.js";
import type { SdkMember, SdkMessage } from "./sdk.js";

/** The methods of an SDK's REST client that both major versions share. */
export interface RestClient {
  readonly channels: { get(name: string): RestChannel };
  time(): Promise<number>;
}

export interface RestChannel {
  publish(message: unknown): Promise<unknown>;
  publish(name: string, data: unknown): Promise<unknown>;
  history(params?: object): Promise<RestPage<SdkMessage>>;
  status(): Promise<{
    channelId: string;
    status: { isActive: boolean; occupancy: { metrics: Record<string, number> } };
  }>;
  readonly presence: {
    get(params?: object): Promise<RestPage<SdkMember>>;
    history(params?: object): Promise<RestPage<SdkMember>>;
  };
}

export interface RestPage<T> {
  readonly items: T[];
  hasNext(): boolean;
  isLast(): boolean;
  next(): Promise<RestPage<T> | null>;
  first(): Promise<RestPage<T>>;
}

/** The response to an arbitrary request. */
export interface RestResponse extends RestPage<Record<string, unknown>> {
  readonly success: boolean;
  readonly statusCode: number;
  readonly errorCode: number | null;
  readonly errorMessage: string | null;
}

export interface RestSdk {
  readonly name: string;
  open(hub: URL, options?: object): RestClient;
  request(client: RestClient, method: string, path: string, body?: unknown): Promise<RestResponse>;
}

/** The official REST SDKs, unmodified, in the same two versions as the realtime SDKs. */
export const REST_SDKS: readonly RestSdk[] = [
  {
    name: "ably 2.28.0",
    open: (hub, options) =>
      new Rest({
        key: KEY,
        endpoint: "localhost",
        port: Number(hub.port),
        tls: false,
        logLevel: 0,
        ...options,
      }) as unknown as RestClient,
    request: (client, method, path, body) =>
      (client as unknown as Rest).request(method, path, 3, undefined, body) as unknown as Promise<RestResponse>,
  },
  {
    name: "ably 1.2.50",
    open: (hub, options) =>
      new ably1.Rest.Promise({
        key: KEY,
        restHost: "localhost",
        port: Number(hub.port),
        tls: false,
        log: { level: 0 },
        ...options,
      }) as unknown as RestClient,
    // Omits the version parameter, which 1.x does not have. The cast is necessary because the types of 1.x require a
    // callback.
    request: (client, method, path, body) =>
      (client as unknown as { request(...all: unknown[]): Promise<RestResponse> }).request(
        method,
        path,
        null,
        body ?? null,
        null,
      ),
  },
];

/** Reads all pages from the first page on, and returns their items. */
export async function all<T>(first: RestPage<T>): Promise<T[]> {
  const items = [...first.items];
  for (let page: RestPage<T> | null = first; page !== null && page.hasNext();) {
    page = await page.next();
    items.push(...(page?.items ?? []));
  }
  return items;
}
