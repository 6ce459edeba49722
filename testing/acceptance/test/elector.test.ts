import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { connect as connectSocket } from "node:net";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { Program } from "../src/program.js";
import { connected, SDKS, type SdkClient } from "../src/sdk.js";
import { until } from "../src/until.js";

const run = promisify(execFile);
const noCurl = spawnSync("curl", ["--version"]).error ? "curl is not installed" : false;
const EXACT = /^\{"name":"([^"]*)","last_update":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"\}$/;

describe("the elector API of the demo", { skip: noCurl }, () => {
  let program: Program;
  const clients: SdkClient[] = [];
  before(async () => {
    program = await Program.start();
  });
  after(async () => {
    clients.forEach((client) => client.close());
    await program[Symbol.asyncDispose]();
  });

  const curl = async (path: string): Promise<string> =>
    (await run("curl", ["-s", "--max-time", "90", new URL(path, program.elector).href])).stdout;

  const lead = async (id: string): Promise<SdkClient> => {
    const client = SDKS[0]?.connect(program.hub, id) as SdkClient;
    clients.push(client);
    await connected(client);
    await client.channels.get("counter").presence.enter("leader");
    return client;
  };

  test("curl prints exactly the name and the time, before and after the first election", async () => {
    assert.equal(EXACT.exec(await curl("/"))?.[1], "");
    const ann = await lead("ann");
    assert.equal(
      EXACT.exec(
        await until(
          "ann leads",
          () => curl("/"),
          (body) => body.includes("ann"),
        ),
      )?.[1],
      "ann",
    );
    await ann.channels.get("counter").presence.leave();
    assert.equal(
      EXACT.exec(
        await until(
          "nobody leads",
          () => curl("/"),
          (body) => !body.includes("ann"),
        ),
      )?.[1],
      "",
    );
  });

  test("/sse sends the same answer at once and on each change", async () => {
    const controller = new AbortController();
    const response = await fetch(new URL("/sse", program.elector), { signal: controller.signal });
    assert.equal(response.headers.get("content-type"), "text/event-stream");
    let text = "";
    const reading = (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
    })().catch(() => {});
    const names = () => [...text.matchAll(/^data: (.*)$/gm)].map((line) => EXACT.exec(line[1] ?? "")?.[1]);
    await until("the current state", names, (seen) => seen.length === 1);
    const bob = await lead("bob");
    await until("the new leader", names, (seen) => seen.length === 2);
    await bob.channels.get("counter").presence.update("no longer");
    await until("no leader", names, (seen) => seen.length === 3);
    assert.deepEqual(names(), ["", "bob", ""]);
    assert.match(text, /^(data: [^\n]+\n\n)+$/);
    controller.abort();
    await reading;
  });

  test("/v1 returns the term, and the probes answer", async () => {
    await lead("cid");
    const election = JSON.parse(
      await until(
        "cid leads",
        () => curl("/v1/elections/counter"),
        (body) => body.includes("cid"),
      ),
    ) as { name: string; leader: { id: string; term: number } };
    assert.equal(election.name, "counter");
    assert.equal(election.leader.id, "cid");
    assert.ok(election.leader.term >= 3);
    const list = JSON.parse(await curl("/v1/elections")) as { elections: { name: string }[] };
    assert.deepEqual(
      list.elections.map((each) => each.name),
      ["counter"],
    );
    for (const probe of ["/healthz", "/readyz"]) {
      assert.equal((await fetch(new URL(probe, program.probes))).status, 200);
    }
    assert.equal((await fetch(new URL("/isLeader?id=cid", program.elector))).status, 200);
    assert.equal((await fetch(new URL("/isLeader?id=eve", program.elector))).status, 409);
    assert.equal((await fetch(new URL("/v1/elections/unknown", program.elector))).status, 404);
  });

  test("200 lost clients leave no handle and no thread", async () => {
    await curl("/");
    const before = program.holds;
    for (let round = 0; round < 3; round++) {
      await Promise.all(Array.from({ length: 200 }, (_, i) => vanish(program.elector, i % 2 === 0 ? "/sse" : "/")));
    }
    await until(
      `at most two more handles and threads than ${JSON.stringify(before)}`,
      () => program.holds,
      (holds) => holds.handles <= before.handles + 2 && holds.threads <= before.threads + 2,
    );
    assert.match(await curl("/"), EXACT);
  });

  /** Sends a request, reads the first bytes of the response, and resets the connection. */
  function vanish(base: URL, path: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connectSocket(Number(base.port), "127.0.0.1", () => {
        socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      });
      socket.once("data", () => socket.resetAndDestroy());
      socket.once("close", () => resolve());
      socket.once("error", reject);
    });
  }
});
