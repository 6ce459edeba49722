import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { KEY, ROOT } from "./program.js";
import type { RestClient } from "./rest.js";
import type { SdkClient, SdkMember } from "./sdk.js";
import { HANG_MILLIS } from "./until.js";

/** An SDK bundle for pages: one script that sets the global variable `Ably`. */
export interface Bundle {
  readonly name: string;
  readonly file: string;
  /** True if the client with promises is named `Promise`, as in 1.x. All clients of 2.x use promises. */
  readonly promises: boolean;
  readonly options: object;
}

/** The official bundles, unmodified. */
export const BUNDLES: readonly Bundle[] = [
  {
    name: "ably 2.28.0",
    file: join(ROOT, "node_modules/ably/build/ably.min.js"),
    promises: false,
    options: { endpoint: "localhost", logLevel: 0 },
  },
  {
    name: "ably 1.2.50",
    file: join(ROOT, "node_modules/ably-1/build/ably.min.js"),
    promises: true,
    // Without `transports`, 1.x first tries HTTP streaming in browsers, which the hub does not support.
    options: { restHost: "localhost", realtimeHost: "localhost", transports: ["web_socket"], log: { level: 0 } },
  },
];

/** The messages and presence events that a page received on one channel. Each list has the order of their arrival. */
export interface Received {
  readonly messages: readonly { name: string; data: unknown; clientId: string }[];
  readonly members: readonly string[];
}

/** A rejection by the hub. */
export interface Refused {
  readonly code: number;
  readonly message: string;
}

/** The result of HTTP requests from a browser page: the items of each page of a history, or a rejection. */
export interface OverHttp {
  readonly pages: readonly (readonly string[])[];
  readonly refused: Refused | null;
}

/** The global variables of the functions below, which run in the page. */
type Kept = typeof globalThis & {
  Ably: {
    Realtime: (new (options: object) => SdkClient) & { Promise: new (options: object) => SdkClient };
    Rest: (new (options: object) => RestClient) & { Promise: new (options: object) => RestClient };
  };
  client: SdkClient;
  received: Record<string, { messages: Received["messages"][number][]; members: string[] }>;
};

/** An SDK client inside a page. The browser context must have `bypassCSP`. */
export class PageSdk {
  /** The URLs of the page's WebSockets. */
  readonly sockets: string[] = [];
  private readonly page: Page;

  private constructor(page: Page) {
    this.page = page;
    page.on("websocket", (socket) => this.sockets.push(socket.url()));
  }

  /** Opens a page of this origin, which is the hub's origin or a foreign origin. */
  static async open(context: BrowserContext, origin: URL, bundle: Bundle): Promise<PageSdk> {
    context.setDefaultTimeout(HANG_MILLIS);
    const page = await context.newPage();
    // The page must come from a server on this machine. Chromium does not let other pages open a socket to this
    // machine. The page must contain no script.
    await page.goto(new URL("/no-such-page", origin).href);
    await page.addScriptTag({ path: bundle.file });
    return new PageSdk(page);
  }

  /** Connects and returns the connection's id. The promise is rejected if the connection fails. */
  connect(hub: URL, bundle: Bundle, clientId: string): Promise<string> {
    const options = { key: KEY, clientId, port: Number(hub.port), tls: false, disableConnectivityCheck: true };
    return this.page.evaluate(
      ({ options, promises }) => {
        const kept = globalThis as Kept;
        const client = promises ? new kept.Ably.Realtime.Promise(options) : new kept.Ably.Realtime(options);
        kept.client = client;
        kept.received = {};
        return new Promise<string>((resolve, reject) => {
          client.connection.once("connected", () => resolve(client.connection.id ?? ""));
          client.connection.once("failed", (change) => {
            const why = (change as { reason?: Error }).reason?.message ?? "no reason given";
            reject(new Error(`failed: ${JSON.stringify(change)}: ${why}`));
          });
        });
      },
      { options: { ...options, ...bundle.options }, promises: bundle.promises },
    );
  }

  /** Publishes and reads over HTTP with a separate client, and returns the result. */
  overHttp(hub: URL, bundle: Bundle, channel: string, names: readonly string[], key = KEY): Promise<OverHttp> {
    const options = { key, port: Number(hub.port), tls: false };
    return this.page.evaluate(
      async ({ options, promises, channel, names }) => {
        const { Ably } = globalThis as Kept;
        const room = (promises ? new Ably.Rest.Promise(options) : new Ably.Rest(options)).channels.get(channel);
        try {
          for (const name of names) await room.publish(name, { name });
          const pages: string[][] = [];
          let page = (await room.history({ limit: 2 })) as Awaited<ReturnType<typeof room.history>> | null;
          while (page !== null) {
            pages.push(page.items.map((message) => `${message.name} ${JSON.stringify(message.data)}`));
            page = await page.next();
          }
          return { pages, refused: null };
        } catch (error) {
          const { code, message } = error as Refused;
          return { pages: [], refused: { code, message } };
        }
      },
      { options: { ...options, ...bundle.options }, promises: bundle.promises, channel, names },
    );
  }

  /** Attaches to the channel, and records all messages and presence events that arrive after that. */
  attach(channel: string, params: Record<string, string> = {}): Promise<void> {
    return this.page.evaluate(
      async ({ channel, params }) => {
        const kept = globalThis as Kept;
        const room = kept.client.channels.get(channel, { params });
        const received: Kept["received"][string] = { messages: [], members: [] };
        kept.received[channel] = received;
        void room.subscribe(({ name, data, clientId }) =>
          received.messages.push({ name, data, clientId: clientId ?? "" }),
        );
        void room.presence.subscribe((member) => {
          received.members.push(`${member.action} ${member.clientId} ${JSON.stringify(member.data)}`);
        });
        await room.attach();
      },
      { channel, params },
    );
  }

  received(channel: string): Promise<Received> {
    return this.page.evaluate(
      (channel) => (globalThis as Kept).received[channel] ?? { messages: [], members: [] },
      channel,
    );
  }

  ping(): Promise<number> {
    return this.page.evaluate(() => (globalThis as Kept).client.connection.ping());
  }

  publish(channel: string, name: string, data: unknown): Promise<void> {
    return this.page.evaluate(
      async ({ channel, name, data }) => {
        await (globalThis as Kept).client.channels.get(channel).publish(name, data);
      },
      { channel, name, data },
    );
  }

  /** Publishes these bytes as an ArrayBuffer, the usual type in a page. */
  publishBytes(channel: string, name: string, bytes: readonly number[]): Promise<void> {
    return this.page.evaluate(
      async ({ channel, name, bytes }) => {
        await (globalThis as Kept).client.channels.get(channel).publish(name, new Uint8Array(bytes).buffer);
      },
      { channel, name, bytes },
    );
  }

  /**
   * Enters or leaves the presence set, or updates the member's data. Returns null if the hub accepts the presence
   * message, otherwise the rejection.
   */
  presence(channel: string, what: "enter" | "update" | "leave", data?: unknown): Promise<Refused | null> {
    return this.page.evaluate(
      async ({ channel, what, data }) => {
        try {
          await (globalThis as Kept).client.channels.get(channel).presence[what](data);
          return null;
        } catch (error) {
          const { code, message } = error as { code: number; message: string };
          return { code, message };
        }
      },
      { channel, what, data },
    );
  }

  present(channel: string): Promise<string[]> {
    return this.page.evaluate(async (channel) => {
      const members: SdkMember[] = await (globalThis as Kept).client.channels.get(channel).presence.get();
      return members.map((member) => `${member.clientId} ${JSON.stringify(member.data)}`).sort();
    }, channel);
  }

  /** Returns the connection state that the SDK reports. */
  state(): Promise<string> {
    return this.page.evaluate(() => (globalThis as Kept).client.connection.state);
  }

  /** Closes the page as a user does. */
  close(): Promise<void> {
    return this.page.close({ runBeforeUnload: true });
  }
}
