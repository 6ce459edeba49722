import { createServer, connect, type AddressInfo, type Server, type Socket } from "node:net";

/**
 * A TCP proxy between one page and the hub, which a test can cut.
 *
 * While the link is cut, the hub has lost the page's sockets, and the page receives no notice of this. The link accepts
 * new sockets of the page and forwards nothing.
 */
export class Link {
  readonly port: string;
  private readonly server: Server;
  private readonly hub: URL;
  /** The sockets of the page, each with its socket to the hub. The socket to the hub is null while the link is cut. */
  private readonly sockets = new Map<Socket, Socket | null>();
  private isCut = false;

  private constructor(server: Server, hub: URL) {
    this.server = server;
    this.hub = hub;
    this.port = String((server.address() as AddressInfo).port);
    server.on("connection", (socket) => this.accept(socket));
  }

  static async open(hub: URL): Promise<Link> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new Link(server, hub);
  }

  private accept(socket: Socket): void {
    socket.on("error", () => {});
    socket.once("close", () => {
      this.sockets.get(socket)?.destroy();
      this.sockets.delete(socket);
    });
    if (this.isCut) {
      this.sockets.set(socket, null);
      socket.resume();
      return;
    }
    const toHub = connect(Number(this.hub.port), "127.0.0.1");
    this.sockets.set(socket, toHub);
    toHub.on("error", () => {});
    toHub.once("close", () => {
      if (this.sockets.get(socket) === toHub) socket.destroy();
    });
    socket.pipe(toHub);
    toHub.pipe(socket, { end: false });
  }

  cut(): void {
    this.isCut = true;
    for (const [socket, toHub] of this.sockets) {
      this.sockets.set(socket, null);
      socket.unpipe();
      socket.resume();
      toHub?.destroy();
    }
  }

  /** Ends the cut. The page receives the end of its sockets and can connect again. */
  mend(): void {
    this.isCut = false;
    for (const [socket, toHub] of this.sockets) if (toHub === null) socket.destroy();
  }

  close(): void {
    for (const socket of this.sockets.keys()) socket.destroy();
    this.server.close();
  }
}
