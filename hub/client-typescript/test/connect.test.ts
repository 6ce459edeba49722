import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { Swarm } from "../src/index.js";
import { FakeHub } from "./fake/hub.js";
import { ManualTime } from "./fake/time.js";

let time: ManualTime;
let hub: FakeHub;

beforeEach(() => {
  time = new ManualTime();
  hub = new FakeHub(time);
});

describe("Swarm.connect", () => {
  it("closes_and_rejects_connect_when_the_signal_aborts", async () => {
    const stop = new AbortController();
    const reason = new Error("the user left");
    const client = hub.client("ann");
    client.connect = () => {};
    const errors: unknown[] = [];
    const swarm = new Swarm("room", { client, clock: time, onError: (error) => errors.push(error) });
    const stopped = assert.rejects(swarm.connect({ signal: stop.signal }), reason);
    await time.advance(3_600_000);
    assert.equal(swarm.status, "connecting");
    stop.abort(reason);
    await stopped;
    assert.equal(swarm.status, "closed");
    assert.deepEqual(errors, []);

    const other = hub.client("ben");
    const never = new Swarm("room", { client: other, clock: time });
    await assert.rejects(never.connect({ signal: stop.signal }), reason);
    assert.deepEqual([never.status, other.connection.state], ["closed", "initialized"]);

    const late = new AbortController();
    const connected = new Swarm("room", { client: hub.client("cem"), clock: time });
    void connected.connect({ signal: late.signal, timeoutMillis: 3000 });
    await time.advance(3000);
    late.abort();
    assert.ok(connected.isLeader, "limits have no effect after the swarm is connected");
  });

  it("closes_and_rejects_connect_after_the_time_limit", async () => {
    const client = hub.client("ann");
    client.connect = () => {};
    const swarm = new Swarm("room", { client, clock: time });
    const late = assert.rejects(swarm.connect({ timeoutMillis: 3000 }), /not connected to .+ within 3000 ms/);
    await time.advance(2999);
    assert.equal(swarm.status, "connecting");
    await time.advance(1);
    await late;
    assert.equal(swarm.status, "closed");
    const invalid = new Swarm("room", { client: hub.client("ben"), clock: time });
    await assert.rejects(
      invalid.connect({ timeoutMillis: NaN }),
      /timeoutMillis is NaN, but must be an integer from 1/,
    );
  });

  it("stays_within_the_limits_of_connect_while_the_channel_is_suspended", async () => {
    const client = hub.client("ann");
    client.connect = () => {};
    const swarm = new Swarm("room", { client, clock: time, onError: () => {} });
    const late = assert.rejects(swarm.connect({ timeoutMillis: 3000 }), /not connected to .+ within 3000 ms/);
    await time.advance(0);
    client.suspendChannel();
    await time.advance(3000);
    await late;
    assert.equal(swarm.status, "closed");
  });

  it("connects_when_the_SDK_attaches_a_suspended_channel_again", async () => {
    const client = hub.client("ann");
    client.connect = () => {};
    const swarm = new Swarm("room", { client, clock: time, onError: () => {} });
    const connecting = swarm.connect();
    await time.advance(0);
    client.suspendChannel();
    await time.advance(0);
    client.comeBack(false);
    await time.advance(100);
    await connecting;
    assert.equal(swarm.status, "connected");
  });

  it("rejects_a_pending_connect_when_it_is_closed", async () => {
    const client = hub.client("ann");
    client.connect = () => {};
    const swarm = new Swarm("room", { client, clock: time });
    const rejected = assert.rejects(swarm.connect({ timeoutMillis: 3_600_000 }), /this swarm was closed/);
    await time.advance(0);
    void swarm.close();
    await rejected;
    await time.advance(10_000);
    assert.equal(time.pendingTimers, 0);
  });

  it("applies_the_limits_of_a_second_connect_to_the_same_attempt", async () => {
    const client = hub.client("ann");
    client.connect = () => {};
    const swarm = new Swarm("room", { client, clock: time });
    const first = assert.rejects(swarm.connect(), /this swarm was closed/);
    const second = assert.rejects(swarm.connect({ timeoutMillis: 3000 }), /not connected to .+ within 3000 ms/);
    await time.advance(3000);
    await Promise.all([first, second]);
    assert.equal(swarm.status, "closed");
  });
});
