import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Program } from "../src/program.js";
import { all, REST_SDKS, type RestClient } from "../src/rest.js";
import { connected, SDKS, type SdkClient, type SdkMessage } from "../src/sdk.js";
import { until } from "../src/until.js";

/** A rejection that an SDK reports. */
type Refused = { code: number; statusCode: number; message: string };

describe("unmodified official SDKs in Node, over HTTP", () => {
  let program: Program;
  before(async () => {
    program = await Program.start();
  });
  after(() => program[Symbol.asyncDispose]());

  REST_SDKS.forEach((sdk, version) => {
    for (const useBinaryProtocol of [true, false]) {
      describe(`${sdk.name}, ${useBinaryProtocol ? "msgpack" : "JSON"}`, () => {
        const realtimes: SdkClient[] = [];
        const rest = (options = {}): RestClient => sdk.open(program.hub, { useBinaryProtocol, ...options });
        const connect = async (id: string, options = {}): Promise<SdkClient> => {
          const client = SDKS[version]?.connect(program.hub, id, { useBinaryProtocol, ...options }) as SdkClient;
          realtimes.push(client);
          await connected(client);
          return client;
        };
        const room = (name: string) => `${name}: ü/,${sdk.name} ${useBinaryProtocol}`;
        after(() => realtimes.forEach((client) => client.close()));

        test("returns the time", async () => {
          const before = Date.now();
          const time = await rest().time();
          assert.ok(before <= time && time <= Date.now(), `${time} is not between ${before} and now`);
        });

        test("publishes text, objects and bytes, which arrive and stay in the history", async () => {
          const bob = await connect("bob");
          const received: SdkMessage[] = [];
          void bob.channels.get(room("post")).subscribe((message) => received.push(message));
          await bob.channels.get(room("post")).attach();
          const channel = rest().channels.get(room("post"));
          await channel.publish("text", "hello");
          await channel.publish("object", { n: 1, nested: ["ü", null] });
          await channel.publish([{ name: "bytes", data: Buffer.from([0, 1, 254, 255]) }, { name: "none" }]);
          await until(
            "four messages",
            () => received.length,
            (n) => n === 4,
          );
          const { items } = await channel.history({ direction: "forwards" });
          for (const messages of [received, items]) {
            assert.deepEqual(
              messages.map((message) => message.name),
              ["text", "object", "bytes", "none"],
            );
            assert.equal(messages[0]?.data, "hello");
            assert.deepEqual(messages[1]?.data, { n: 1, nested: ["ü", null] });
            assert.deepEqual([...(messages[2]?.data as Buffer)], [0, 1, 254, 255]);
          }
          assert.deepEqual(
            items.map((message) => message.id),
            received.map((message) => message.id),
          );
        });

        test("reads the pages of a history in both directions", async () => {
          const channel = rest().channels.get(room("pages"));
          const names = ["1", "2", "3", "4", "5", "6", "7"];
          for (const name of names) await channel.publish(name, { name });
          const first = await channel.history({ limit: 3 });
          assert.equal(first.items.length, 3);
          assert.equal(first.isLast(), false);
          const names_of = (messages: SdkMessage[]) => messages.map((message) => message.name);
          assert.deepEqual(names_of(await all(first)), [...names].reverse());
          const second = await first.next();
          assert.deepEqual(names_of((await second?.first())?.items ?? []), ["7", "6", "5"]);
          const forwards = await channel.history({ limit: 3, direction: "forwards" });
          assert.deepEqual(names_of(await all(forwards)), names);
          const whole = await channel.history();
          assert.equal(whole.isLast(), true);
          assert.equal(await whole.next(), null);
        });

        test("publishes a repeated message only once", async () => {
          const channel = rest().channels.get(room("once"));
          for (let i = 0; i < 3; i++) await channel.publish({ id: "mine:0", name: "n", data: "d" });
          const { items } = await channel.history();
          assert.deepEqual(
            items.map((message) => message.id),
            ["mine:0"],
          );
        });

        test("publishes under its client id", async () => {
          const channel = rest({ clientId: "ännchen" }).channels.get(room("as"));
          await channel.publish("n", "d");
          assert.equal((await channel.history()).items[0]?.clientId, "ännchen");
        });

        test("publishes for the connection whose key it names", async () => {
          const bob = await connect("bob");
          const { key } = bob.connection as unknown as { key: string };
          const channel = rest().channels.get(room("behalf"));
          await channel.publish({ name: "n", data: "d", connectionKey: key });
          const { items } = (await channel.history()) as { items: (SdkMessage & { connectionId?: string })[] };
          assert.equal(items[0]?.connectionId, bob.connection.id);
          assert.equal(items[0]?.clientId, "bob");
        });

        test("reads the members and their presence history", async () => {
          const bob = await connect("bob");
          const { presence } = bob.channels.get(room("members"));
          await presence.enter({ n: 1 });
          await presence.update(Buffer.from([1, 2]));
          const channel = rest().channels.get(room("members"));
          const members = (await channel.presence.get()).items;
          assert.deepEqual(
            members.map(({ action, clientId, connectionId }) => ({ action, clientId, connectionId })),
            [{ action: "present", clientId: "bob", connectionId: bob.connection.id }],
          );
          assert.deepEqual([...(members[0]?.data as Buffer)], [1, 2]);
          assert.equal((await channel.presence.get({ clientId: "nobody" })).items.length, 0);
          const happened = (await channel.presence.history({ direction: "forwards" })).items;
          assert.deepEqual(
            happened.map((event) => event.action),
            ["enter", "update"],
          );
          assert.deepEqual(happened[0]?.data, { n: 1 });
        });

        test("reads a channel's status, and a realtime client receives the occupancy", async () => {
          const ann = await connect("ann");
          const metrics: Record<string, number>[] = [];
          const watched = ann.channels.get(room("crowd"), { params: { occupancy: "metrics" } });
          void watched.subscribe((message) => {
            if (message.name === "[meta]occupancy") {
              metrics.push((message.data as { metrics: Record<string, number> }).metrics);
            }
          });
          await watched.attach();
          const bob = await connect("bob");
          await bob.channels.get(room("crowd")).presence.enter("here");
          await until(
            "an occupancy with one member",
            () => metrics.at(-1)?.["presenceMembers"],
            (n) => n === 1,
          );
          const { channelId, status } = await rest().channels.get(room("crowd")).status();
          assert.equal(channelId, room("crowd"));
          assert.equal(status.isActive, true);
          assert.deepEqual(status.occupancy.metrics, {
            connections: 2,
            publishers: 2,
            subscribers: 2,
            presenceConnections: 2,
            presenceMembers: 1,
            presenceSubscribers: 2,
          });
          assert.equal((await rest().channels.get(room("nobody")).status()).status.isActive, false);
        });

        test("reads exactly the earlier messages in the history until the attachment", async () => {
          const ann = await connect("ann");
          const channel = ann.channels.get(room("until"));
          await rest().channels.get(room("until")).publish("before", "");
          await channel.attach();
          await rest().channels.get(room("until")).publish("after", "");
          const history = channel.history.bind(channel) as (params: object) => Promise<{ items: SdkMessage[] }>;
          assert.deepEqual(
            (await history({ untilAttach: true })).items.map((message) => message.name),
            ["before"],
          );
          assert.equal((await history({})).items.length, 2);
        });

        test("receives the reason of a rejection", async () => {
          const code = (expected: number, status: number) => (error: Refused) => {
            assert.equal(error.code, expected);
            assert.equal(error.statusCode, status);
            assert.ok(error.message.length > 10);
            return true;
          };
          const eve = rest({ key: "acceptance.key:wrong" }).channels.get(room("eve"));
          await assert.rejects(eve.publish("n", "d"), code(40101, 401));
          await assert.rejects(eve.history(), code(40101, 401));
          const channel = rest().channels.get(room("refused"));
          await assert.rejects(channel.history({ limit: 5_000 }), code(40003, 400));
          await assert.rejects(rest().channels.get(":no").publish("n", "d"), code(40010, 400));
          await assert.rejects(channel.publish({ name: "n", connectionKey: "no!such" }), code(40006, 400));
          const fenced = rest().channels.get("counter");
          await assert.rejects(fenced.publish("n", "d"), code(40911, 409));
        });

        test("gets errors for unknown requests", async () => {
          const posted = await sdk.request(rest(), "post", `/channels/${encodeURIComponent(room("any"))}/messages`, {
            name: "n",
          });
          assert.equal(posted.statusCode, 201);
          assert.equal(posted.items[0]?.["channel"], room("any"));
          for (const path of ["/nothing", "/keys/a.b/requestToken", "/channels/x/nothing"]) {
            const answer = await sdk.request(rest(), "get", path);
            assert.equal(answer.success, false);
            assert.equal(answer.statusCode, 404);
            assert.equal(answer.errorCode, 40400);
            assert.match(answer.errorMessage ?? "", /nothing at/);
          }
          const channels = await sdk.request(rest(), "get", "/channels");
          assert.equal(channels.statusCode, 200);
        });
      });
    }
  });
});
