import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { ElectorProcess } from "../src/electorprocess.js";
import { KEY, Program, ROOT } from "../src/program.js";
import { until } from "../src/until.js";

const MIGRATE = join(ROOT, "examples/migrate");
const WITH_KEY = { authorization: `Basic ${Buffer.from(KEY).toString("base64")}`, accept: "application/json" };
const folder = mkdtempSync(join(tmpdir(), "doyen-migrate-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Tests the programs of docs/guide/migrate/ably.md. */
describe("the migration from Ably's service to a hub", () => {
  let ably: Program;
  let hub: Program;
  before(async () => {
    [ably, hub] = await Promise.all([Program.start(), Program.start()]);
  });
  after(() => Promise.all([ably[Symbol.asyncDispose](), hub[Symbol.asyncDispose]()]));

  /** Runs programs that all write to one file. The lines of the file have the order of the events. */
  class Stage {
    private readonly file: string;
    private readonly running = new Map<string, ChildProcess>();
    private readonly errors = new Map<string, { text: string }>();

    constructor(name: string) {
      this.file = join(folder, name);
    }

    start(program: string, id: string): void {
      const out = openSync(this.file, "a");
      const child = spawn("node", [join(MIGRATE, "ably", program), id], {
        env: {
          ...process.env,
          ABLY_KEY: KEY,
          ABLY_PORT: ably.hub.port,
          DOYEN_TOKENS: new URL("/token?channel=orders", hub.hub).href,
          DOYEN_PORT: hub.hub.port,
        },
        stdio: ["ignore", out, "pipe"],
      });
      closeSync(out);
      const errors = { text: "" };
      child.stderr!.on("data", (chunk: Buffer) => (errors.text += chunk.toString()));
      this.errors.set(id, errors);
      this.running.set(id, child);
    }

    async end(id: string): Promise<void> {
      const child = this.running.get(id)!;
      this.running.delete(id);
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await gone;
    }

    /**
     * Waits until the file contains exactly these lines.
     *
     * A delayed program can lose its leadership and lead again at once. The method ignores the two lines of such a
     * program.
     */
    async printed(...lines: readonly string[]): Promise<void> {
      await until(
        `the programs have printed "${lines.join(", ")}"`,
        () =>
          readFileSync(this.file, "utf8")
            .replace(/^(\S+) no longer\n\1 leads\n/gm, "")
            .trim()
            .split("\n"),
        (received) => received.join() === lines.join(),
      );
    }

    /** Waits until the hub has rejected this program's claim. */
    async refused(id: string): Promise<void> {
      await until(
        `the hub rejects the claim of ${id}`,
        () => this.errors.get(id)!.text,
        (text) => text.includes("is held by"),
      );
    }

    endAll(): Promise<unknown> {
      return Promise.all([...this.running.keys()].map((id) => this.end(id)));
    }
  }

  /** Waits until this client is present on the channel. */
  async function present(id: string, where = hub): Promise<void> {
    await until(
      `${id} is present`,
      async () => (await fetch(new URL("/channels/orders/presence", where.hub), { headers: WITH_KEY })).json(),
      (members: readonly { clientId: string }[]) => members.some((member) => member.clientId === id),
    );
  }

  /** Runs a test and then ends its programs, because all tests use the same channel. */
  function testPrograms(title: string, play: (stage: Stage) => Promise<void>): void {
    test(title, async () => {
      const stage = new Stage(title);
      try {
        await play(stage);
      } finally {
        await stage.endAll();
      }
    });
  }

  test("the move to the hub changes only the connection's options", () => {
    assert.deepEqual(changed("ably/before.mjs", "ably/moved.mjs"), [
      'import { hub } from "./services.mjs";',
      "const client = new Realtime({ ...hub, clientId });",
    ]);
  });

  testPrograms("a program that elects by hand is the only leader on the hub, in any order of ids", async (stage) => {
    stage.start("moved.mjs", "b");
    await stage.printed("b leads");
    stage.start("moved.mjs", "a");
    await stage.refused("a");
    await stage.end("b");
    await stage.printed("b leads", "b no longer", "a leads");
  });

  testPrograms("one member leads if programs that elect by hand and swarms share the hub", async (stage) => {
    stage.start("moved.mjs", "a");
    await stage.printed("a leads");
    stage.start("after.mjs", "b");
    await present("b");
    await stage.end("a");
    await stage.printed("a leads", "a no longer", "b leads");
    stage.start("moved.mjs", "a2");
    await stage.refused("a2");
    await stage.end("b");
    await stage.printed("a leads", "a no longer", "b leads", "b no longer", "a2 leads");
  });

  testPrograms("a migration by way of both services never has two leaders", async (stage) => {
    stage.start("before.mjs", "a");
    await stage.printed("a leads");
    stage.start("both.mjs", "c");
    await present("c", ably);
    await stage.end("a");
    await stage.printed("a leads", "a no longer", "c leads");
    stage.start("both.mjs", "d");
    await present("d", ably);
    stage.start("after.mjs", "e");
    await present("e");
    await stage.end("c");
    await stage.printed("a leads", "a no longer", "c leads", "c no longer", "e leads");
    await stage.end("d");
    stage.start("after.mjs", "f");
    await present("f");
    await stage.end("e");
    await stage.printed("a leads", "a no longer", "c leads", "c no longer", "e leads", "e no longer", "f leads");
  });

  testPrograms("a direct migration has two leaders at the same time", async (stage) => {
    stage.start("before.mjs", "old");
    await stage.printed("old leads");
    stage.start("after.mjs", "new");
    await stage.printed("old leads", "new leads");
  });
});

/** Tests the manifests of docs/guide/migrate/nais.md and leader-elector.md, and the arguments in them. */
describe("the migration from another elector", () => {
  for (const elector of ["nais", "leader-elector"]) {
    test(`from ${elector} changes one line of the manifest, and the arguments keep their meaning`, async () => {
      const [image, ...more] = changed(`kubernetes/${elector}-before.yaml`, `kubernetes/${elector}-after.yaml`);
      assert.match(image!, /image: /);
      assert.deepEqual(more, []);
      const args = JSON.parse(/args: (\[.*\])/.exec(read(`kubernetes/${elector}-after.yaml`))![1]!) as string[];
      const process = await ElectorProcess.start([
        "elector",
        ...args.filter((each) => !/^--(http|probe-address)=/.test(each)),
        "--id=pod-1",
        `--store=file:${join(folder, elector)}`,
      ]);
      try {
        await until(
          "the pod leads",
          async () => (await fetch(process.elector)).text(),
          (body) => /^\{"name":"pod-1","last_update":"[^"]*"\}$/.test(body),
        );
        assert.equal((await fetch(new URL("/v1/elections/orders", process.elector))).status, 200);
      } finally {
        await process.end("SIGTERM");
      }
    });
  }
});

function read(file: string): string {
  return readFileSync(join(MIGRATE, file), "utf8");
}

/** Returns the lines of the second file that differ from the first file. */
function changed(one: string, other: string): readonly string[] {
  const [before, after] = [one, other].map((file) => read(file).split("\n"));
  assert.equal(after!.length, before!.length);
  return after!.filter((line, i) => line !== before![i]);
}
