import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Program } from "../src/program.js";
import { connected, SDKS, type SdkClient, type SdkMember, type SdkMessage } from "../src/sdk.js";
import { until } from "../src/until.js";

describe("unmodified official SDKs in Node", () => {
  let program: Program;
  before(async () => {
    program = await Program.start();
  });
  after(() => program[Symbol.asyncDispose]());

  for (const sdk of SDKS) {
    for (const useBinaryProtocol of [true, false]) {
      describe(`${sdk.name}, ${useBinaryProtocol ? "msgpack" : "JSON"}`, () => {
        const clients: SdkClient[] = [];
        const connect = (id: string, options = {}) => {
          const client = sdk.connect(program.hub, id, { useBinaryProtocol, ...options });
          clients.push(client);
          return client;
        };
        const room = (name: string) => `${name} ${sdk.name} ${useBinaryProtocol}`;
        after(() => clients.forEach((client) => client.close()));

        test("connects, pings, publishes and subscribes", async () => {
          const [ann, bob] = [connect("ann"), connect("bob")];
          await Promise.all([connected(ann), connected(bob)]);
          assert.ok((await ann.connection.ping()) >= 0);
          const received = new Promise<SdkMessage[]>((resolve) => {
            const messages: SdkMessage[] = [];
            void bob.channels.get(room("chat")).subscribe((message) => {
              messages.push(message);
              if (messages.length === 3) resolve(messages);
            });
          });
          await bob.channels.get(room("chat")).attach();
          const chat = ann.channels.get(room("chat"));
          await chat.publish("text", "hello");
          await chat.publish("object", { n: 1, nested: ["ü", null] });
          await chat.publish("bytes", Buffer.from([0, 1, 254, 255]));
          const [text, object, bytes] = await received;
          assert.equal(text?.data, "hello");
          assert.equal(text?.clientId, "ann");
          assert.deepEqual(object?.data, { n: 1, nested: ["ü", null] });
          assert.deepEqual([...(bytes?.data as Buffer)], [0, 1, 254, 255]);
        });

        test("enters presence and receives enter, update and leave of others", async () => {
          const [ann, bob] = [connect("ann"), connect("bob")];
          const seen: string[] = [];
          const waiting = new Map<string, () => void>();
          const nextAction = (action: string) => new Promise<void>((resolve) => waiting.set(action, resolve));
          const [updated, gone] = [nextAction("update"), nextAction("leave")];
          void bob.channels.get(room("party")).presence.subscribe((member: SdkMember) => {
            seen.push(`${member.action} ${member.clientId} ${String(member.data)}`);
            waiting.get(member.action)?.();
          });
          await bob.channels.get(room("party")).attach();
          const { presence } = ann.channels.get(room("party"));
          await presence.enter("hi");
          await presence.update("still here");
          await updated;
          const present = await bob.channels.get(room("party")).presence.get();
          assert.deepEqual(
            present.map((member) => `${member.clientId} ${String(member.data)}`),
            ["ann still here"],
          );
          await presence.leave();
          await gone;
          assert.deepEqual(seen, ["enter ann hi", "update ann still here", "leave ann still here"]);
          assert.deepEqual(await bob.channels.get(room("party")).presence.get(), []);
        });

        test("a late client gets the members and the last message", async () => {
          const ann = connect("ann");
          const early = ann.channels.get(room("late"));
          await early.presence.enter({ role: "F" });
          await early.publish("tick", { n: 41 });
          await early.publish("tick", { n: 42 });
          const bob = connect("bob");
          const late = bob.channels.get(room("late"), { params: { rewind: "1" } });
          const first = new Promise<SdkMessage>((resolve) => void late.subscribe(resolve));
          await late.attach();
          assert.deepEqual((await first).data, { n: 42 });
          assert.deepEqual(
            (await late.presence.get()).map((member) => member.data),
            [{ role: "F" }],
          );
        });

        test("a client that accepts deltas receives whole messages", async () => {
          const ann = connect("ann");
          const channel = ann.channels.get(room("delta"), { params: { delta: "vcdiff" } });
          const received: unknown[] = [];
          await channel.subscribe((message) => received.push(message.data));
          assert.deepEqual(channel.params, { delta: "vcdiff" });
          await channel.publish("n", "a text");
          await channel.publish("n", "a text and more");
          await until(
            "both messages",
            () => received,
            (seen) => seen.length === 2,
          );
          assert.deepEqual(received, ["a text", "a text and more"]);
        });

        test("a second leader is rejected with the holder and the term", async () => {
          const [ann, bob] = [connect("ann"), connect("bob")];
          const [mine, other] = [ann.channels.get(room("throne")), bob.channels.get(room("throne"))];
          await mine.presence.enter("candidate");
          await other.presence.enter("candidate");
          await mine.presence.update("leader");
          await assert.rejects(other.presence.update("leader"), (error: { code: number; message: string }) => {
            assert.equal(error.code, 40910);
            assert.match(error.message, /held by "ann" in term 1/);
            return true;
          });
          const members = await other.presence.get();
          assert.deepEqual(members.map((m) => `${m.clientId} ${String(m.data)}`).sort(), [
            "ann leader",
            "bob candidate",
          ]);
          await mine.presence.leave();
          await other.presence.update("leader");
        });

        test("a wrong key fails permanently with a reason", async () => {
          const eve = connect("eve", { key: "acceptance.key:wrong" });
          const reason = await new Promise<{ code: number } | undefined>((resolve) =>
            eve.connection.on((change) => {
              if (change.current === "failed") resolve(change.reason);
            }),
          );
          assert.equal(reason?.code, 40101);
        });

        test("an invalid channel name fails only that channel", async () => {
          const ann = connect("ann");
          await connected(ann);
          await assert.rejects(ann.channels.get(":no").attach(), (error: { code: number }) => error.code === 40010);
          await ann.channels.get(room("fine")).attach();
          assert.equal(ann.connection.state, "connected");
        });

        test("only a message that is too large is rejected", async () => {
          const ann = connect("ann");
          const channel = ann.channels.get(room("large"));
          await assert.rejects(
            channel.publish("x", "x".repeat(66_000)),
            (error: { code: number }) => error.code === 40009,
          );
          await channel.publish("x", "x".repeat(60_000));
        });
      });
    }
  }
});
