import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { KEY, Program } from "../src/program.js";
import { connected, SDKS, type SdkClient } from "../src/sdk.js";
import { until } from "../src/until.js";

type Refused = { code: number; statusCode: number };
type Authorizes = { auth: { authorize(params: object): Promise<unknown> } };

describe("unmodified official SDKs in Node, with tokens", () => {
  let program: Program;
  before(async () => {
    program = await Program.start();
  });
  after(() => program[Symbol.asyncDispose]());

  for (const sdk of SDKS) {
    for (const useBinaryProtocol of [true, false]) {
      // These tests run concurrently, because they mostly wait until a token expires.
      describe(`${sdk.name}, ${useBinaryProtocol ? "msgpack" : "JSON"}`, { concurrency: true }, () => {
        const clients: SdkClient[] = [];
        after(() => clients.forEach((client) => client.close()));
        /** Connects with a token. The SDK signs a token request with its key and sends it to the hub. */
        const connect = async (id: string, params: object = {}): Promise<SdkClient> => {
          const options = { useBinaryProtocol, useTokenAuth: true, defaultTokenParams: params };
          const client = sdk.connect(program.hub, id, options);
          clients.push(client);
          await connected(client);
          return client;
        };
        const room = (name: string) => `${name} ${sdk.name} ${useBinaryProtocol}`;

        test("a token is bound to its client and its rights", async () => {
          const capability = { [room("orders")]: ["subscribe", "presence"] };
          const ann = await connect("ann", { capability: JSON.stringify(capability) });
          assert.equal(ann.auth.clientId, "ann");
          const orders = ann.channels.get(room("orders"));
          await orders.attach();
          await orders.presence.enter("here");
          await assert.rejects(orders.publish("n", "x"), (e: Refused) => e.code === 40160 && e.statusCode === 401);
          await assert.rejects(orders.presence.update("leader"), (e: Refused) => e.code === 40160);
          await assert.rejects(ann.channels.get(room("other")).attach(), (e: Refused) => e.code === 40160);
          assert.equal(ann.connection.state, "connected");
        });

        test("the SDK replaces an expiring token, and the member does not leave", async () => {
          const bob = await connect("bob");
          const left: string[] = [];
          const watched = bob.channels.get(room("short"));
          await watched.presence.subscribe((member) => {
            if (member.action === "leave") left.push(member.clientId);
          });
          const ann = await connect("ann", { ttl: 5_000 });
          const id = ann.connection.id;
          const changes: { state: string; code: number | undefined }[] = [];
          ann.connection.on((change) => changes.push({ state: change.current, code: change.reason?.code }));
          await ann.channels.get(room("short")).presence.enter("here");
          await until(
            "a second event connected",
            () => changes.filter((change) => change.state === "connected").length,
            (n) => n >= 1,
          );
          assert.equal(changes[0]?.code, 40142);
          assert.equal(ann.connection.id, id);
          await ann.channels.get(room("short")).publish("n", "still here");
          assert.deepEqual(left, []);
        });

        test("a new token on the live connection can remove rights", async () => {
          const ann = await connect("ann");
          const [kept, lost] = [ann.channels.get(room("kept")), ann.channels.get(room("lost"))];
          await Promise.all([kept.attach(), lost.attach()]);
          const capability = JSON.stringify({ [room("kept")]: ["subscribe"] });
          await (ann as unknown as Authorizes).auth.authorize({ clientId: "ann", capability });
          assert.equal(ann.connection.state, "connected");
          await until(
            "the channel without rights fails",
            () => lost.state,
            (state) => state === "failed",
          );
          assert.equal(lost.errorReason?.code, 40160);
          assert.equal(kept.state, "attached");
          await assert.rejects(kept.publish("n", "x"), (e: Refused) => e.code === 40160);
        });

        test("a token that is not a JWT fails permanently with a reason", async () => {
          const authCallback = (_: object, done: (error: null, token: string) => void): void => done(null, "opaque");
          const eve = sdk.connect(program.hub, "eve", { useBinaryProtocol, key: undefined, authCallback });
          clients.push(eve);
          const reasons: (number | undefined)[] = [];
          eve.connection.on((change) => reasons.push(change.reason?.code));
          await until(
            "the end of the connection",
            () => eve.connection.state,
            (state) => state === "failed",
          );
          assert.equal(reasons.at(-1), 40101);
        });

        test("a revoked client is disconnected at once and reconnects with a new token", async () => {
          const client = `rita-${sdk.name}-${useBinaryProtocol}`;
          const rita = await connect(client);
          const changes: (number | undefined)[] = [];
          rita.connection.on((change) => changes.push(change.reason?.code));
          const keyName = KEY.slice(0, KEY.indexOf(":"));
          const answer = await fetch(new URL(`/keys/${keyName}/revokeTokens`, program.hub), {
            method: "POST",
            headers: { authorization: `Basic ${btoa(KEY)}`, "content-type": "application/json" },
            body: JSON.stringify({ targets: [`clientId:${client}`] }),
          });
          assert.equal(answer.status, 201);
          await until(
            "the end of the connection",
            () => changes,
            (codes) => codes.includes(40141),
          );
          await until(
            "the next connection",
            () => rita.connection.state,
            (state) => state === "connected",
          );
        });
      });
    }
  }
});
