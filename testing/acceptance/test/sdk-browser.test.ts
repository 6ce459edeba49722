import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import type { Browser, BrowserContext } from "playwright-core";
import { launch, noBrowser } from "../src/browser.js";
import { BUNDLES, PageSdk, type Bundle } from "../src/bundles.js";
import { Program } from "../src/program.js";
import { connected, SDKS, type SdkClient, type SdkMember, type SdkMessage } from "../src/sdk.js";
import { until } from "../src/until.js";

describe("unmodified official bundles in Chromium", { skip: noBrowser }, () => {
  let browser: Browser;
  let program: Program;
  before(async () => {
    [browser, program] = await Promise.all([launch(), Program.start()]);
  });
  after(async () => {
    await browser.close();
    await program[Symbol.asyncDispose]();
  });

  for (const bundle of BUNDLES) {
    describe(bundle.name, () => {
      let context: BrowserContext;
      const clients: SdkClient[] = [];
      const errors: string[] = [];
      beforeEach(async () => {
        context = await browser.newContext({ bypassCSP: true });
        context.on("weberror", (error) => errors.push(error.error().message));
      });
      afterEach(async () => {
        clients.splice(0).forEach((client) => client.close());
        await context.close();
        assert.deepEqual(errors.splice(0), [], "no page throws");
      });

      const room = (name: string) => `${name} ${bundle.name}`;
      const inPage = async (clientId: string): Promise<PageSdk> => {
        const sdk = await PageSdk.open(context, program.hub, bundle);
        await sdk.connect(program.hub, bundle, clientId);
        return sdk;
      };
      /**
       * Connects a client in Node. This client uses msgpack, and the page uses JSON, so each test with both clients
       * also mixes the formats.
       */
      const inNode = async (clientId: string): Promise<SdkClient> => {
        const client = SDKS[0]?.connect(program.hub, clientId, { useBinaryProtocol: true }) as SdkClient;
        clients.push(client);
        await connected(client);
        return client;
      };

      test("connects by one WebSocket in JSON, and pings", async () => {
        const ann = await inPage("ann");
        assert.ok((await ann.ping()) >= 0);
        assert.equal(ann.sockets.length, 1);
        const query = new URL(ann.sockets[0] as string).searchParams;
        assert.equal(query.get("format") ?? "json", "json");
      });

      test("publishes to Node, and receives messages of Node", async () => {
        const [ann, bob] = await Promise.all([inPage("ann"), inNode("bob")]);
        await ann.attach(room("chat"));
        const chat = bob.channels.get(room("chat"));
        const received: SdkMessage[] = [];
        void chat.subscribe((message) => received.push(message));
        await chat.attach();
        await ann.publish(room("chat"), "text", "hello");
        await ann.publish(room("chat"), "object", { n: 1, nested: ["ü", null] });
        await ann.publishBytes(room("chat"), "bytes", [0, 1, 254, 255]);
        await chat.publish("answer", { n: 2 });
        await until(
          "four messages in Node",
          () => received.length,
          (n) => n === 4,
        );
        assert.equal(received[0]?.data, "hello");
        assert.equal(received[0]?.clientId, "ann");
        assert.deepEqual(received[1]?.data, { n: 1, nested: ["ü", null] });
        assert.deepEqual([...(received[2]?.data as Buffer)], [0, 1, 254, 255]);
        const { messages } = await until(
          "four messages in the page",
          () => ann.received(room("chat")),
          (h) => h.messages.length === 4,
        );
        assert.deepEqual(messages[0], { name: "text", data: "hello", clientId: "ann" });
        assert.deepEqual(messages[3], { name: "answer", data: { n: 2 }, clientId: "bob" });
      });

      test("exchanges presence events with Node, and leaves when its page is closed", async () => {
        const [ann, bob] = await Promise.all([inPage("ann"), inNode("bob")]);
        const seen: string[] = [];
        const party = bob.channels.get(room("party"));
        void party.presence.subscribe((member: SdkMember) => {
          if (member.clientId === "ann") seen.push(`${member.action} ${JSON.stringify(member.data)}`);
        });
        await party.presence.enter({ from: "node" });
        await ann.attach(room("party"));
        assert.deepEqual(await ann.present(room("party")), ['bob {"from":"node"}']);
        assert.equal(await ann.presence(room("party"), "enter", { from: "page" }), null);
        assert.equal(await ann.presence(room("party"), "update", "changed"), null);
        await party.presence.update("changed too");
        await until(
          "bob's change in the page",
          () => ann.received(room("party")),
          (h) => h.members.includes('update bob "changed too"'),
        );
        assert.deepEqual(await ann.present(room("party")), ['ann "changed"', 'bob "changed too"']);
        await ann.close();
        await until(
          "ann's leave in Node, before the grace of a lost connection (15 s) is over",
          () => seen.length,
          (n) => n === 3,
          14_000,
        );
        assert.deepEqual(seen, ['enter {"from":"page"}', 'update "changed"', 'leave "changed"']);
      });

      test("a second leader is rejected with the holder and the term", async () => {
        const [ann, bob] = await Promise.all([inPage("ann"), inNode("bob")]);
        const throne = bob.channels.get(room("throne"));
        await throne.presence.enter("leader");
        await ann.attach(room("throne"));
        assert.equal(await ann.presence(room("throne"), "enter", "candidate"), null);
        const refused = await ann.presence(room("throne"), "update", "leader");
        assert.equal(refused?.code, 40910);
        assert.match(refused.message, /held by "bob" in term 1/);
        assert.deepEqual(await ann.present(room("throne")), ['ann "candidate"', 'bob "leader"']);
        assert.equal(await ann.state(), "connected");
        await throne.presence.leave();
        assert.equal(await ann.presence(room("throne"), "update", "leader"), null);
        await assert.rejects(throne.presence.enter("leader"), (error: { code: number; message: string }) => {
          assert.equal(error.code, 40910);
          assert.match(error.message, /held by "ann" in term 2/);
          return true;
        });
      });

      test("a late client gets the members and the last message", async () => {
        const [ann, bob] = await Promise.all([inPage("ann"), inNode("bob")]);
        const early = bob.channels.get(room("late"));
        await early.presence.enter({ role: "F" });
        await early.publish("tick", { n: 41 });
        await early.publish("tick", { n: 42 });
        await ann.attach(room("late"), { rewind: "1" });
        await early.publish("tick", { n: 43 });
        const { messages } = await until(
          "two ticks",
          () => ann.received(room("late")),
          (h) => h.messages.length >= 2,
        );
        assert.deepEqual(
          messages.map((message) => message.data),
          [{ n: 42 }, { n: 43 }],
        );
        assert.deepEqual(await ann.present(room("late")), ['bob {"role":"F"}']);
      });

      test("publishes and reads pages over HTTP from a page of another origin", async () => {
        const sdk = await PageSdk.open(context, program.elector, bundle);
        const posted = await sdk.overHttp(program.hub, bundle, room("post"), ["1", "2", "3"]);
        assert.deepEqual(posted, {
          pages: [['3 {"name":"3"}', '2 {"name":"2"}'], ['1 {"name":"1"}']],
          refused: null,
        });
        const refused = await sdk.overHttp(program.hub, bundle, room("post"), ["4"], "acceptance.key:wrong");
        assert.equal(refused.refused?.code, 40101, "a page of another origin can read the error");
      });
    });
  }

  test("ably 1.2.50 without the option transports starts with comet, and its error names the option", async () => {
    const [, old] = BUNDLES;
    const bundle = { ...old, options: { ...old?.options, transports: undefined } } as Bundle;
    const context = await browser.newContext({ bypassCSP: true });
    try {
      const sdk = await PageSdk.open(context, program.elector, bundle);
      await assert.rejects(sdk.connect(program.hub, bundle, "ann"), (error: Error) => {
        assert.match(error.message, /transports: \["web_socket"\]/);
        assert.match(error.message, /40400/);
        return true;
      });
    } finally {
      await context.close();
    }
  });
});
