import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { launch } from "./browser.js";

/** The hosts that Chromium itself contacts, for example for updates. */
const CHROMIUMS_OWN = /(^|\.)(google|googleapis|gstatic|gvt1)\.com$/;

/**
 * A browser whose requests to other machines go to a proxy that records and rejects them.
 *
 * With a proxy, Chromium resolves no foreign names itself. It connects to this machine without the proxy.
 */
export class RecordingBrowser {
  /** The foreign hosts, as the pages and the proxy recorded them. */
  readonly foreign = new Set<string>();
  /** The URLs of the pages' WebSockets to this machine. */
  readonly sockets: string[] = [];
  private readonly proxy: Server;
  private browser: Browser | null = null;

  private constructor() {
    this.proxy = createServer((request, response) => {
      this.recordAtProxy(request.url ?? "");
      response.writeHead(502).end();
    });
    this.proxy.on("connect", (request, socket) => {
      this.recordAtProxy(`https://${request.url}`);
      socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    });
  }

  static async launch(): Promise<RecordingBrowser> {
    const recording = new RecordingBrowser();
    await new Promise<void>((resolve) => recording.proxy.listen(0, "127.0.0.1", resolve));
    const { port } = recording.proxy.address() as AddressInfo;
    recording.browser = await launch([`--proxy-server=http://127.0.0.1:${port}`]);
    return recording;
  }

  async open(): Promise<Page> {
    const page = await (this.browser as Browser).newPage();
    page.on("request", (request) => this.record(request.url()));
    page.on("websocket", (socket) => this.record(socket.url()));
    return page;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser?.close();
    this.proxy.closeAllConnections();
    this.proxy.close();
  }

  private recordAtProxy(url: string): void {
    if (!CHROMIUMS_OWN.test(new URL(url).hostname)) this.record(url);
  }

  private record(url: string): void {
    const { hostname, protocol } = new URL(url);
    if (hostname !== "localhost" && hostname !== "127.0.0.1") this.foreign.add(hostname);
    else if (protocol === "ws:") this.sockets.push(url);
  }
}
