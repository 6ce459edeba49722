import assert from "node:assert/strict";
import { connected, SDKS, type SdkClient } from "./sdk.js";
import { until } from "./until.js";

const TICK_MILLIS = 40;

/**
 * A client that behaves correctly while another client misbehaves.
 *
 * The bystander receives the ticks of a third client, and is attached to the channel that the test misuses. The
 * bystander must receive every tick, keep its connection, and receive nothing on the misused channel.
 */
export class Bystander {
  static readonly ROOM = "room";
  private static readonly TICKS = "ticks";

  private readonly client: SdkClient;
  private readonly ticker: SdkClient;
  private readonly interval: NodeJS.Timeout;
  private readonly connectionId: string | undefined;
  private readonly changes: string[] = [];
  private readonly received: number[] = [];
  private readonly inRoom: string[] = [];
  private readonly failures: unknown[] = [];
  private ticks = 0;

  private constructor(client: SdkClient, ticker: SdkClient) {
    this.client = client;
    this.ticker = ticker;
    this.connectionId = client.connection.id;
    client.connection.on((change) => this.changes.push(change.current));
    this.interval = setInterval(() => this.tick(), TICK_MILLIS);
  }

  static async open(hub: URL): Promise<Bystander> {
    const [client, ticker] = ["bystander", "ticker"].map((id) => SDKS[0]?.connect(hub, id)) as [SdkClient, SdkClient];
    await Promise.all([connected(client), connected(ticker)]);
    const bystander = new Bystander(client, ticker);
    const room = client.channels.get(Bystander.ROOM);
    void room.subscribe((message) => bystander.inRoom.push(`message ${message.name}`));
    void room.presence.subscribe((member) => bystander.inRoom.push(`${member.action} ${member.clientId}`));
    const ticks = client.channels.get(Bystander.TICKS);
    void ticks.subscribe((message) => bystander.received.push((message.data as { n: number }).n));
    await Promise.all([room.attach(), ticks.attach()]);
    return bystander;
  }

  private tick(): void {
    this.ticker.channels
      .get(Bystander.TICKS)
      .publish("tick", { n: ++this.ticks })
      .catch((error: unknown) => this.failures.push(error));
  }

  /** Waits for a new tick, so that all earlier messages have arrived, and then runs all checks. */
  async assertUndisturbed(): Promise<void> {
    const from = this.ticks;
    await until(
      "a tick after the invalid input",
      () => this.received.at(-1) ?? 0,
      (last) => last > from,
    );
    const first = this.received[0] ?? 0;
    assert.deepEqual(
      this.received,
      this.received.map((_, i) => first + i),
      "every tick, in order, once",
    );
    assert.deepEqual(this.failures, []);
    assert.deepEqual(this.changes, []);
    assert.equal(this.client.connection.state, "connected");
    assert.equal(this.client.connection.id, this.connectionId);
    assert.deepEqual(this.inRoom, [], "no other client receives a rejection");
    assert.deepEqual(await this.client.channels.get(Bystander.ROOM).presence.get(), []);
  }

  close(): void {
    clearInterval(this.interval);
    this.client.close();
    this.ticker.close();
  }
}
