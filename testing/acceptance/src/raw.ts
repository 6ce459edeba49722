import WebSocket from "ws";
import { KEY } from "./program.js";
import { HANG_MILLIS } from "./until.js";

/** A received protocol message, with the fields that tests read. */
export interface Frame {
  readonly action: number;
  readonly channel?: string;
  readonly id?: string;
  readonly msgSerial?: number;
  readonly error?: { readonly code: number; readonly statusCode: number; readonly message: string };
}

/** The action numbers of the protocol. */
export const ACTION = {
  heartbeat: 0,
  ack: 1,
  nack: 2,
  connected: 4,
  error: 9,
  attach: 10,
  attached: 11,
  presence: 14,
  message: 15,
  object: 19,
} as const;

/** A client without an SDK, which sends arbitrary frames and reads one frame at a time. */
export class RawClient {
  /** The close code of the socket. The code is 1006 if the socket was closed without a close frame. */
  readonly closed: Promise<number>;
  private readonly socket: WebSocket;
  private readonly arrived: Buffer[] = [];
  private onFrame: () => void = () => undefined;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on("message", (data: Buffer) => {
      this.arrived.push(data);
      this.onFrame();
    });
    // Ignore the error, because `closed` reports a reset with code 1006.
    socket.on("error", () => undefined);
    this.closed = new Promise((resolve) => socket.once("close", resolve));
  }

  /** Opens a socket with this query, which can be invalid. */
  static async open(hub: URL, query: Readonly<Record<string, string>>): Promise<RawClient> {
    const url = new URL(hub);
    url.protocol = "ws:";
    url.search = new URLSearchParams(query).toString();
    const socket = new WebSocket(url);
    const client = new RawClient(socket);
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    return client;
  }

  /** Connects with a valid query, and reads the CONNECTED frame. */
  static async connect(hub: URL, clientId: string, format: "json" | "msgpack"): Promise<RawClient> {
    const client = await RawClient.open(hub, { key: KEY, clientId, format, v: "4" });
    await client.nextBytes();
    return client;
  }

  /** Sends an object as JSON, and text and bytes without changes. */
  send(what: object | string | Buffer): void {
    this.socket.send(typeof what === "string" || Buffer.isBuffer(what) ? what : JSON.stringify(what));
  }

  async next(): Promise<Frame> {
    return JSON.parse((await this.nextBytes()).toString()) as Frame;
  }

  async nextBytes(): Promise<Buffer> {
    if (this.arrived.length === 0) {
      await new Promise<void>((resolve, reject) => {
        const tooLate = setTimeout(() => reject(new Error(`no frame arrived within ${HANG_MILLIS} ms`)), HANG_MILLIS);
        this.onFrame = () => {
          clearTimeout(tooLate);
          resolve();
        };
      });
    }
    return this.arrived.shift() as Buffer;
  }

  close(): void {
    this.socket.terminate();
  }
}
