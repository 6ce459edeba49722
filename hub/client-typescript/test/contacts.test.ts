import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Realtime, type ClientOptions } from "ably";
import { hubOptions, Swarm } from "../src/index.js";
import { connectionOf, settingsOf, type SwarmOptions } from "../src/options.js";
import { FakeHub } from "./fake/hub.js";
import { closedPort, Network, silentServer } from "./fake/network.js";
import { ManualTime } from "./fake/time.js";

const KEY = "app.id:secret";

describe("a client of a hub", () => {
  it("contacts_only_the_hub_if_a_handshake_is_slow", async (t) => {
    const network = new Network(t);
    const { port } = await silentServer(t);
    // The check starts at once, as it otherwise does after 4 s.
    const swarm = new Swarm("room", {
      key: KEY,
      endpoint: "localhost",
      port,
      tls: false,
      webSocketSlowTimeout: 1,
    } as {});
    void swarm.connect().catch(() => {});
    const checked = () => network.hosts.filter((host) => host === "localhost").length > 3;
    await network.until(() => network.foreign.length > 0 || checked());
    await swarm.close();
    assert.deepEqual(network.foreign, []);
  });

  it("resolves_only_the_hubs_name_if_nothing_answers_there", async (t) => {
    const network = new Network(t);
    const port = await closedPort();
    for (const endpoint of ["hub", "hub.example"]) {
      const where = { endpoint, port, tls: false, disconnectedRetryTimeout: 1 };
      const swarm = new Swarm("room", { key: KEY, ...where, logLevel: 0, onError: () => {} });
      void swarm.connect().catch(() => {});
      const before = network.hosts.length;
      await network.until(() => network.hosts.length > before + 6);
      await swarm.close();
    }
    assert.deepEqual(network.foreign, ["hub", "hub.example"]);
  });

  it("contacts_only_the_hub_over_REST", async (t) => {
    const network = new Network(t);
    const port = await closedPort();
    const client = new Realtime(
      hubOptions({ key: KEY, endpoint: "hub", port, tls: false, logLevel: 0, autoConnect: false }),
    );
    await assert.rejects(client.time());
    assert.deepEqual(network.foreign, ["hub"]);
  });

  it("has_the_options_of_the_caller_and_none_against_Ablys_own_service", () => {
    const own = { endpoint: "hub.example", transports: ["xhr_polling" as const] };
    assert.deepEqual(hubOptions(own).transports, ["xhr_polling"]);
    const ably = [{ key: KEY }, { endpoint: "main" }, { restHost: "rest.ably.io", port: 80 }, { environment: "x" }];
    for (const options of ably) assert.equal(hubOptions(options), options);
  });

  it("keeps_the_defaults_for_options_that_are_undefined", () => {
    const options = { endpoint: "hub.example", tls: undefined, transports: undefined, fallbackHosts: undefined };
    const given = hubOptions(options as {}) as Record<string, unknown>;
    assert.deepEqual([given["transports"], given["fallbackHosts"]], [["web_socket"], []]);
    assert.equal("tls" in given, false, "the SDK takes an undefined tls for false");
    const own = connectionOf("room", { key: KEY, clientId: undefined, autoConnect: undefined } as {});
    assert.equal(typeof own.clientId, "string");
    assert.equal(own.autoConnect, false);
  });

  it("adds_its_channel_only_to_the_requests_to_authUrl", () => {
    const authUrl = "https://app.example/token";
    const params = (options: object): unknown => connectionOf("room", options).authParams;
    assert.deepEqual(params({ authUrl }), { channel: "room" });
    assert.deepEqual(params({ authUrl, authParams: { user: "ann" } }), { channel: "room", user: "ann" });
    assert.equal(params({ key: KEY }), undefined);
  });

  it("sets_one_host_for_an_endpoint_that_the_SDK_takes_for_a_policy", () => {
    const { endpoint, restHost, realtimeHost } = hubOptions({ endpoint: "hub", port: 8000 } as ClientOptions);
    assert.deepEqual([endpoint, restHost, realtimeHost], [undefined, "hub", undefined]);
  });

  it("has_a_short_settle_time_by_default_K7", () => {
    const settle = (options: object): number => settingsOf(options as SwarmOptions).settleMillis;
    assert.equal(settle({ key: KEY, endpoint: "localhost", port: 8000 }), 50);
    assert.equal(settle({ key: KEY, endpoint: "localhost", port: 8000, settleMillis: 200 }), 200);
    const client = new FakeHub(new ManualTime()).client("ann");
    for (const options of [{ key: KEY }, { key: KEY, endpoint: "main" }, { client }])
      assert.equal(settle(options), 500);
  });

  it("is_rejected_if_a_port_has_no_host", () => {
    const endpoint = process.env["DOYEN_NO_SUCH_VARIABLE"];
    assert.throws(
      () => new Swarm("room", { key: KEY, endpoint, port: 8000 } as {}),
      /endpoint is missing, so the client/,
    );
    assert.throws(() => new Swarm("room", { key: KEY, endpoint: "" }), /endpoint is empty, so the client/);
  });
});
