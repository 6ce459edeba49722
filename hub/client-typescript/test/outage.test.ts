import assert from "node:assert/strict";
import { createServer } from "node:http";
import { describe, it, type TestContext } from "node:test";
import { WebSocketServer, type WebSocket } from "ws";
import { Swarm, type SwarmOptions } from "../src/index.js";
import { TabSwarm } from "../src/tab-swarm.js";
import { closedPort, listen, Network } from "./fake/network.js";

const KEY = "app.id:secret";
/** The settings of a client that talks JSON and waits 1 ms between two attempts. */
const QUICK = { key: KEY, endpoint: "localhost", useBinaryProtocol: false, logLevel: 0, disconnectedRetryTimeout: 1 };

class Errors {
  readonly all: Error[] = [];
  private readonly waiting = new Set<() => void>();
  readonly add = (error: unknown): void => {
    this.all.push(error as Error);
    for (const each of this.waiting) each();
  };

  until(count: number): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (this.all.length >= count) resolve();
      };
      this.waiting.add(check);
      check();
    });
  }
}

/** Starts a WebSocket server. `greet` answers each new connection. */
async function hub(t: TestContext, port: number, greet: (socket: WebSocket) => void): Promise<() => void> {
  const http = createServer();
  const server = new WebSocketServer({ server: http }).on("connection", greet);
  const end = (): void => {
    for (const socket of server.clients) socket.terminate();
    http.close();
  };
  t.after(end);
  await listen(http, port);
  return end;
}

function accept(socket: WebSocket): void {
  const connectionDetails = { connectionKey: "c!k", clientId: "ann", maxIdleInterval: 0, maxMessageSize: 65536 };
  socket.send(JSON.stringify({ action: 4, connectionId: "c", connectionDetails }));
  socket.on("message", (data) => {
    const { action, channel } = JSON.parse(String(data)) as { action: number; channel: string };
    if (action === 10) socket.send(JSON.stringify({ action: 11, channel, channelSerial: "1", flags: 15 << 16 }));
  });
}

function reject(socket: WebSocket): void {
  const error = { code: 40101, statusCode: 401, message: "the hub has no key app.id" };
  socket.send(JSON.stringify({ action: 9, error }));
  socket.close(1000);
}

function open(t: TestContext, options: object, errors: Errors): Swarm {
  const swarm = new Swarm("room", { ...QUICK, onError: errors.add, ...options } as SwarmOptions);
  t.after(() => swarm.close());
  return swarm;
}

describe("a swarm that cannot reach its hub", () => {
  it("reports_each_outage_once_at_the_first_failed_attempt", async (t) => {
    const network = new Network(t);
    const [port, errors] = [await closedPort(), new Errors()];
    const swarm = open(t, { clientId: "ann", port, tls: false }, errors);
    const connecting = swarm.connect();
    await errors.until(1);
    assert.match(
      errors.all[0]!.message,
      new RegExp(
        `^cannot connect to ws://localhost:${port}: .+ Check that the hub runs, and check endpoint, port and tls`,
      ),
    );
    assert.equal(swarm.status, "connecting");
    const attempts = network.hosts.length;
    await network.until(() => network.hosts.length > attempts + 8);
    const end = await hub(t, port, accept);
    await connecting;
    assert.equal(errors.all.length, 1);

    end();
    await errors.until(2);
    assert.match(errors.all[1]!.message, /^cannot connect to ws:/);
    assert.equal(swarm.status, "disconnected");
  });

  it("reports_TLS_that_was_left_on_with_the_port_that_it_ignores", async (t) => {
    const errors = new Errors();
    const swarm = open(t, { port: await closedPort() }, errors);
    void swarm.connect().catch(() => {});
    await errors.until(1);
    assert.match(
      errors.all[0]!.message,
      /^cannot connect to wss:\/\/localhost:443: .+ With TLS, the client ignores port \d+: set tls to false, or set tlsPort/,
    );
  });

  it("reports_TLS_that_the_hub_does_not_serve", async (t) => {
    const [tlsPort, errors] = [await closedPort(), new Errors()];
    await hub(t, tlsPort, accept);
    void open(t, { tlsPort }, errors)
      .connect()
      .catch(() => {});
    await errors.until(1);
    assert.match(errors.all[0]!.message, new RegExp(`wss://localhost:${tlsPort}: .+ check endpoint, tlsPort and tls`));
  });

  it("fails_with_the_message_of_a_hub_that_rejects_its_key", async (t) => {
    const [port, errors] = [await closedPort(), new Errors()];
    await hub(t, port, reject);
    const swarm = open(t, { port, tls: false }, errors);
    await assert.rejects(swarm.connect(), /the hub has no key app\.id/);
    assert.equal(swarm.status, "failed");
    await errors.until(1);
    const start = `cannot connect to ws://localhost:${port}: the hub has no key app.id`;
    assert.ok(errors.all[0]!.message.startsWith(start), errors.all[0]!.message);
    assert.equal((errors.all[0]!.cause as { code?: number }).code, 40101);
  });

  it("reports_a_rejected_key_also_after_an_outage", async (t) => {
    const [port, errors] = [await closedPort(), new Errors()];
    const swarm = open(t, { port, tls: false }, errors);
    const rejected = assert.rejects(swarm.connect(), /the hub has no key app\.id/);
    await errors.until(1);
    await hub(t, port, reject);
    await rejected;
    await errors.until(2);
    assert.match(errors.all[1]!.message, /the hub has no key app\.id\. The swarm does not try again/);
    assert.equal(errors.all.length, 2);
  });

  it("reports_an_authUrl_that_nobody_serves", async (t) => {
    const [port, errors] = [await closedPort(), new Errors()];
    const authUrl = `http://localhost:${port}/token`;
    void open(t, { key: undefined, authUrl, port, tls: false }, errors)
      .connect()
      .catch(() => {});
    await errors.until(1);
    assert.match(errors.all[0]!.message, /\(.*ECONNREFUSED.*\)\. Check authUrl or authCallback/);
  });

  it("reports_an_outage_once_as_a_swarm_of_tabs", async (t) => {
    const [port, errors] = [await closedPort(), new Errors()];
    await hub(t, port, reject);
    const swarm = new TabSwarm("room", { ...QUICK, port, tls: false, onError: errors.add });
    t.after(() => swarm.close());
    await assert.rejects(swarm.connect(), /the hub has no key app\.id/);
    assert.deepEqual(
      errors.all.map(({ message }) => message.split(": ")[0]),
      [`cannot connect to ws://localhost:${port}`],
    );
    assert.match(errors.all[0]!.message, /app\.id\. The swarm tries again\. Correct the options\.$/);
  });
});
