import dns from "node:dns";
import { createServer, Socket, type AddressInfo, type Server } from "node:net";
import type { TestContext } from "node:test";

const LOCAL = new Set(["localhost", "127.0.0.1", "::1"]);

/** Records the hosts to which this process connects, and the names that it resolves. Foreign names do not resolve. */
export class Network {
  readonly hosts: string[] = [];
  private readonly waiting: { holds: () => boolean; resolve: () => void }[] = [];

  constructor(t: TestContext) {
    const record = (host: string): void => {
      this.hosts.push(host);
      for (const each of this.waiting) if (each.holds()) each.resolve();
    };
    const { lookup } = dns;
    t.mock.method(dns, "lookup", (name: string, ...rest: never[]) => {
      record(name);
      if (LOCAL.has(name)) return (lookup as Function)(name, ...rest);
      const callback = rest.at(-1) as unknown as (error: Error) => void;
      process.nextTick(callback, new Error(`${name} is foreign`));
    });
    const { connect } = Socket.prototype;
    t.mock.method(Socket.prototype, "connect", function (this: Socket, ...given: unknown[]) {
      const [options] = (Array.isArray(given[0]) ? given[0] : given) as [{ host?: string }];
      record(options.host ?? "localhost");
      return Reflect.apply(connect, this, given);
    });
  }

  get foreign(): string[] {
    return [...new Set(this.hosts)].filter((host) => !LOCAL.has(host));
  }

  /** Waits until `holds` returns true. The recorder calls it after each lookup and each connection. */
  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      if (holds()) resolve();
      else this.waiting.push({ holds, resolve });
    });
  }
}

/** Returns a port of this machine on which nothing listens. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export function listen(server: Server, port = 0): Promise<number> {
  return new Promise((resolve) =>
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)),
  );
}

/** Starts a server that accepts connections and never answers. */
export async function silentServer(t: TestContext): Promise<{ port: number; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
  });
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: await listen(server), sockets };
}
