import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { ChatClient, LogLevel } from "@ably/chat";
import Spaces from "@ably/spaces/dist/mjs/index.js";
import type { Realtime } from "ably";
import { launch, noBrowser } from "../src/browser.js";
import { Pages } from "../src/pages.js";
import { Program } from "../src/program.js";
import { connected, SDKS, type SdkClient, type SdkMember, type SdkMessage } from "../src/sdk.js";
import { until } from "../src/until.js";

describe("libraries that use the official SDK", () => {
  let program: Program;
  const clients: SdkClient[] = [];
  before(async () => {
    program = await Program.start();
  });
  after(async () => {
    clients.forEach((client) => client.close());
    await program[Symbol.asyncDispose]();
  });

  const connect = async (clientId: string): Promise<SdkClient> => {
    const client = SDKS[0]?.connect(program.hub, clientId) as SdkClient;
    clients.push(client);
    await connected(client);
    return client;
  };
  const realtime = async (clientId: string): Promise<Realtime> => (await connect(clientId)) as unknown as Realtime;

  test("Spaces: members, locations, locks and cursors", async () => {
    const [ann, bob] = await Promise.all([realtime("ann"), realtime("bob")]);
    // A short time, because a space with a member that has left keeps the process alive.
    const options = { offlineTimeout: 100 };
    const [mine, other] = await Promise.all([ann, bob].map((client) => new Spaces(client).get("board", options)));
    assert.ok(mine && other);
    await mine.enter({ name: "Ann" });
    await other.enter({ name: "Bob" });
    const inOther = async (what: string, of: () => Promise<unknown>, expected: unknown) => {
      const text = JSON.stringify(expected);
      await until(what, of, (seen) => JSON.stringify(seen) === text);
    };
    await inOther("the other member", async () => (await other.members.getOthers()).map((m) => m.profileData), [
      { name: "Ann" },
    ]);

    await mine.locations.set({ slide: 3 });
    await inOther("the location", async () => Object.values(await other.locations.getOthers()), [{ slide: 3 }]);

    await mine.locks.acquire("slide-3");
    await inOther("the lock", async () => (await other.locks.getAll()).map((lock) => [lock.id, lock.member.clientId]), [
      ["slide-3", "ann"],
    ]);

    const moved: unknown[] = [];
    other.cursors.subscribe("update", (cursor: { position: unknown }) => void moved.push(cursor.position));
    // A member sends its cursor only after another member has also opened the channel of the cursors.
    await until(
      "a cursor of the other member",
      async () => {
        await Promise.all([
          other.cursors.set({ position: { x: 0, y: 0 } }),
          mine.cursors.set({ position: { x: 1, y: 2 } }),
        ]);
        return moved;
      },
      (seen) => seen.some((position) => JSON.stringify(position) === '{"x":1,"y":2}'),
    );

    await mine.leave();
    await until(
      "the end of the lock",
      () => other.locks.getAll(),
      (locks) => locks.length === 0,
    );
    for (const space of [mine, other]) {
      await until(
        "the removal of the member",
        () => space.members.getAll(),
        (members) => members.length === 1,
      );
    }
  });

  test("Chat: presence, typing, reactions and occupancy events; its messages need a service of Ably", async () => {
    const [ann, bob] = await Promise.all([realtime("ann"), realtime("bob")]);
    const [mine, other] = await Promise.all(
      [ann, bob].map((client) =>
        new ChatClient(client, { logLevel: LogLevel.Silent }).rooms.get("room", { occupancy: { enableEvents: true } }),
      ),
    );
    assert.ok(mine && other);
    const [typing, reactions, occupancy]: [string[], string[], number[]] = [[], [], []];
    other.typing.subscribe(({ currentlyTyping }) => void typing.push([...currentlyTyping].join()));
    other.reactions.subscribe(({ reaction }) => void reactions.push(`${reaction.name} ${reaction.clientId}`));
    other.occupancy.subscribe(({ occupancy: { connections } }) => void occupancy.push(connections));
    await Promise.all([mine.attach(), other.attach()]);

    await mine.presence.enter({ status: "here" });
    await until(
      "the member",
      () => other.presence.get(),
      (members) => JSON.stringify(members.map((m) => [m.clientId, m.data])) === '[["ann",{"status":"here"}]]',
    );
    await mine.typing.keystroke();
    await mine.reactions.send({ name: "like" });
    await until(
      "the typing event",
      () => typing,
      (seen) => seen.includes("ann"),
    );
    await until(
      "the reaction",
      () => reactions,
      (seen) => seen.includes("like ann"),
    );
    await until(
      "the occupancy",
      () => occupancy,
      (seen) => seen.includes(2),
    );

    await mine.typing.stop();
    await until(
      "the end of the typing",
      () => typing,
      (seen) => seen.at(-1) === "",
    );

    await assert.rejects(mine.messages.send({ text: "hello" }), { code: 40400 });
    await assert.rejects(mine.occupancy.get(), { code: 40400 });
  });

  test("the React hooks of ably: messages and presence", { skip: noBrowser }, async () => {
    const bob = await connect("bob");
    const room = bob.channels.get("hooks");
    const received: unknown[] = [];
    await room.subscribe((message: SdkMessage) => received.push(message.data));
    await room.presence.enter("in Node");
    const pages = await Pages.open(program, { hooks: "testing/acceptance/pages/ably-react.tsx" });
    const browser = await launch();
    try {
      const page = await browser.newPage();
      await page.goto(pages.url("hooks", program).href);
      const shows = (text: string) =>
        until(
          text,
          () => page.innerText("body"),
          (shown) => shown.includes(text),
        );
      await shows("present: bob in Node, page in the page");
      await page.click("button");
      await shows("received: from the page");
      await until(
        "the message of the page",
        () => received,
        (seen) => seen.includes("from the page"),
      );
      await room.publish("text", "from Node");
      await shows("received: from the page, from Node");
      const members: SdkMember[] = await room.presence.get();
      assert.deepEqual(members.map((member) => member.clientId).sort(), ["bob", "page"]);
    } finally {
      await browser.close();
      pages.close();
    }
  });
});
