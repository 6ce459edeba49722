import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, mock, test } from "node:test";
import { Elector } from "../src/index.js";
import { settingsOf } from "../src/settings.js";
import { event, plain } from "./fake/elector.js";

const ME = '{"name":"me","last_update":"2026-11-22T10:00:00Z"}';

/** With this setting the client waits at least 60 s for an answer, so a slow machine does not fail a test. */
const PATIENT = { name: "me", believeMillis: 300_000 } as const;

/** Ends a test that hangs. */
const LIMIT = { timeout: 60_000 };

/** A list whose entries a test can wait for. */
class Lines {
  readonly received: string[] = [];
  private arrived = (): void => {};

  readonly add = (line: string): void => {
    this.received.push(line);
    this.arrived();
  };

  async reach(count: number): Promise<void> {
    while (this.received.length < count) await new Promise<void>((resolve) => (this.arrived = resolve));
  }
}

describe("an elector that cannot be reached", () => {
  const servers: Server[] = [];
  const stops: AbortController[] = [];

  /** Starts a local server. The port 0 selects a free port. */
  async function serve(listener: RequestListener, port = 0): Promise<Server> {
    const server = createServer(listener).listen(port, "127.0.0.1");
    servers.push(server);
    await once(server, "listening");
    return server;
  }

  const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function close(server: Server): Promise<void> {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  /** Returns a URL at which nothing listens. */
  async function nowhere(): Promise<string> {
    const server = await serve(() => {});
    const url = urlOf(server);
    await close(server);
    return url;
  }

  /** Starts a watch, and returns a list of the names of the reported leaders. */
  function watch(elector: Elector): Lines {
    const [stop, names] = [new AbortController(), new Lines()];
    stops.push(stop);
    void (async () => {
      for await (const leader of elector.watch({ signal: stop.signal })) names.add(leader.known ? leader.name : "?");
    })();
    return names;
  }

  afterEach(async () => {
    stops.forEach((each) => each.abort());
    for (const server of servers.splice(0)) await close(server);
  });

  test("is logged by a watch once per outage, and so is its return", LIMIT, async () => {
    const [log, url, requests] = [new Lines(), await nowhere(), new Lines()];
    const names = watch(new Elector({ ...PATIENT, url, log: log.add }));
    await log.reach(1);
    assert.match(
      log.received[0]!,
      /^the elector at http:\S+\/sse\?heartbeat=120s gave no valid answer: .*ECONNREFUSED/,
    );
    assert.match(log.received[0]!, /; check the address and that the elector runs$/);

    const port = Number(new URL(url).port);
    let failing = true;
    const server = await serve((request, response) => {
      requests.add(request.url!);
      if (failing) response.writeHead(503).end();
      else response.writeHead(200, { "Content-Type": "text/event-stream" }).write(plain("me"));
    }, port);
    await requests.reach(2);
    assert.equal(log.received.length, 1, "a retry that fails belongs to the same outage");
    failing = false;
    await log.reach(2);
    assert.match(log.received[1]!, /^the elector at http:\S+\/sse\?heartbeat=120s answers again$/);
    await names.reach(2);
    assert.deepEqual(names.received, ["?", "me"]);

    await close(server);
    await log.reach(3);
    assert.match(log.received[2]!, /gave no valid answer/);
  });

  test("is logged at the first failure", LIMIT, async () => {
    const [log, requests] = [new Lines(), new Lines()];
    const server = await serve((request, response) => {
      requests.add(request.url!);
      response.writeHead(503).end();
    });
    watch(new Elector({ ...PATIENT, url: urlOf(server), log: log.add }));
    await log.reach(1);
    assert.equal(requests.received.length, 1);
    assert.match(log.received[0]!, /answered with status 503$/);
  });

  test("is logged once for all calls of leading, also if a call is repeated", LIMIT, async () => {
    const [log, requests] = [new Lines(), new Lines()];
    const server = await serve((request, response) => {
      requests.add(request.url!);
      response.writeHead(503).end();
    });
    const elector = new Elector({ ...PATIENT, url: urlOf(server), log: log.add });
    for (const retried of [2, 4]) {
      const stop = new AbortController();
      const leading = elector.leading({ signal: stop.signal });
      // The second request of a call follows the failure of the first one.
      await requests.reach(retried);
      stop.abort(new Error("enough"));
      await assert.rejects(leading, /enough/);
    }
    assert.equal(log.received.length, 1);
  });

  for (const [what, listener, reason] of [
    ["401", (_, response) => response.writeHead(401).end(), /status 401; check the address/],
    ["403", (_, response) => response.writeHead(403).end(), /status 403; check the address/],
    ["404", (_, response) => response.writeHead(404).end(), /status 404; check the address/],
    ["another server", (_, response) => response.end("<html>"), /is not an answer of an elector: <html>; check/],
    ["a server that hangs up", (request) => request.socket.destroy(), /gave no valid answer: .+; check the address/],
  ] as const satisfies (readonly [string, RequestListener, RegExp])[]) {
    test(`is logged by isLeader once per outage (${what})`, LIMIT, async () => {
      const log = new Lines();
      let isFailing = true;
      const server = await serve((request, response) => {
        if (isFailing) listener(request, response);
        else response.end(ME);
      });
      const elector = new Elector({ ...PATIENT, url: urlOf(server), log: log.add });
      assert.equal(await elector.isLeader(), false);
      assert.equal(await elector.isLeader(), false);
      assert.equal(log.received.length, 1);
      assert.ok(log.received[0]!.includes(`${urlOf(server)}/`), log.received[0]);
      assert.match(log.received[0]!, reason);
      isFailing = false;
      assert.equal(await elector.isLeader(), true);
      assert.equal(await elector.isLeader(), true);
      assert.deepEqual(log.received.slice(1), [`the elector at ${urlOf(server)}/ answers again`]);
      isFailing = true;
      assert.equal(await elector.isLeader(), false);
      assert.equal(log.received.length, 3);
    });
  }

  test("is named in the error of leader and of isLeader with throw, which are not logged too", LIMIT, async () => {
    const [log, url] = [new Lines(), await nowhere()];
    const elector = new Elector({ name: "me", url, whenUnknown: "throw", log: log.add });
    const message = new RegExp(`^the elector at ${url}/ gave no valid answer: .*ECONNREFUSED.*; check the address`);
    await assert.rejects(elector.leader(), { message });
    await assert.rejects(elector.isLeader(), { message });
    assert.deepEqual(log.received, []);
  });

  test("is logged with console.warn by default", LIMIT, async () => {
    const warn = mock.method(console, "warn", () => {});
    try {
      await new Elector({ name: "me", url: await nowhere() }).isLeader();
      assert.equal(warn.mock.callCount(), 1);
      assert.match(String(warn.mock.calls[0]!.arguments[0]), /ECONNREFUSED/);
    } finally {
      warn.mock.restore();
    }
  });

  test("does not end the watch if the log throws", LIMIT, async () => {
    const requests = new Lines();
    const server = await serve((request, response) => {
      requests.add(request.url!);
      response.writeHead(503).end();
    });
    const logged = new Lines();
    const log = (line: string): void => {
      logged.add(line);
      throw new Error("on purpose");
    };
    watch(new Elector({ name: "me", url: urlOf(server), log }));
    await logged.reach(1);
    await requests.reach(2);
  });
});

describe("the time limit of leading", () => {
  test("rejects the promise while another app leads", LIMIT, async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { "Content-Type": "text/event-stream" }).write(event(1, "other", 1));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const leading = new Elector({ name: "me", url }).leading({ election: "app", timeoutMillis: 50 });
    await assert.rejects(leading, { name: "TimeoutError", message: "this app did not lead within 50 ms" });
    server.closeAllConnections();
    server.close();
  });

  test("must be positive and fit a timer", LIMIT, async () => {
    const elector = new Elector({ name: "me", url: "localhost:4040" });
    for (const timeoutMillis of [0, -1, NaN, 2 ** 31]) {
      await assert.rejects(elector.leading({ timeoutMillis }), /timeoutMillis \(\S+\) must be from 1 to 2147483647/);
    }
  });
});

describe("an address", () => {
  const before = { ...process.env };
  afterEach(() => void (process.env = { ...before }));
  const ADDRESS = "is not the address of an elector; write it like http://localhost:4040/";

  for (const bad of ["", " ", "ftp://x", "http://", "/sse", "http://[", "localhost:99999", "a b"]) {
    test(`that is malformed is rejected (${JSON.stringify(bad)})`, () => {
      const rejects = (options: object, what: string): void =>
        assert.throws(() => settingsOf(options), { message: `${what} (${JSON.stringify(bad)}) ${ADDRESS}` });
      rejects({ url: bad }, "the option url");
      rejects({ url: "x", sseUrl: bad }, "the option sseUrl");
    });
  }

  test("that comes from the environment is rejected with the name of its variable", () => {
    process.env["ELECTOR_GET_URL"] = "ftp://x";
    assert.throws(() => settingsOf({}), { message: `ELECTOR_GET_URL ("ftp://x") ${ADDRESS}` });
    process.env["ELECTOR_GET_URL"] = "localhost";
    process.env["ELECTOR_SSE_URL"] = "http://";
    assert.throws(() => settingsOf({}), { message: `ELECTOR_SSE_URL ("http://") ${ADDRESS}` });
    delete process.env["ELECTOR_GET_URL"];
    process.env["ELECTOR_PATH"] = "ftp://y";
    assert.throws(() => settingsOf({}), { message: `ELECTOR_PATH ("ftp://y") ${ADDRESS}` });
  });

  test("that is missing is rejected with the reason and the remedy", () => {
    for (const name of ["ELECTOR_GET_URL", "ELECTOR_PATH", "ELECTOR_SSE_URL"]) delete process.env[name];
    const remedy = "run the elector's sidecar in this pod, or set ELECTOR_GET_URL or the option url";
    for (const [value, why] of [
      [undefined, "is not set"],
      ["", "is empty"],
    ] as const) {
      if (value !== undefined) process.env["ELECTOR_GET_URL"] = value;
      const message = `the address of the elector is unknown, because ELECTOR_GET_URL ${why}; ${remedy}`;
      assert.throws(() => settingsOf({}), { message });
    }
  });
});
