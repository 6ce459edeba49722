import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { transform } from "esbuild";
import { noBrowser } from "../src/browser.js";
import { atHub, Pages } from "../src/pages.js";
import { Program, ROOT } from "../src/program.js";
import { Tabs, type Tab } from "../src/tabs.js";
import { HANG_MILLIS, until } from "../src/until.js";

/** What pages/ring.ts says of itself. */
interface Shown {
  readonly name: string;
  readonly leads: boolean;
  readonly leader: string;
  readonly term: number;
  readonly members: number;
  readonly status: string;
  readonly terms: readonly number[];
  readonly losses: readonly string[];
  readonly errors: readonly string[];
}

/** A page in a browser of its own. */
interface Member {
  readonly name: string;
  readonly browser: Tabs;
  readonly tab: Tab;
}

/**
 * How long the members of the ring wait for a leader without a sign of it. A leader that stands still for less keeps its
 * term: so long a machine may be busy.
 */
const FOLLOW_MILLIS = 15_000;
/** A leader leads for so long after its last sign. Another that leads earlier has not waited for its silence. */
const LEAD_MILLIS = 0.8 * FOLLOW_MILLIS;

const CLASSPATH = join(ROOT, "channel/target/classpath");

/** An example that is a process, and what it said. */
class Example {
  private readonly process: ChildProcess;
  text = "";

  constructor(command: string, args: readonly string[]) {
    this.process = spawn(command, args);
    for (const stream of [this.process.stdout, this.process.stderr]) {
      stream?.on("data", (chunk: Buffer) => (this.text += chunk.toString()));
    }
  }

  async said(what: RegExp): Promise<void> {
    await until(
      `the process says ${what}`,
      () => this.text,
      (text) => what.test(text),
    );
  }

  kill(): void {
    this.process.kill("SIGKILL");
  }
}

describe("a ring of browsers through the hub", { skip: noBrowser }, () => {
  let program: Program;
  let pages: Pages;
  let members: Member[] = [];
  const examples: Example[] = [];
  const folder = mkdtempSync(join(tmpdir(), "doyen-ring-"));

  before(async () => {
    program = await Program.start();
    pages = await Pages.open(program, { ring: "acceptance/pages/ring.ts" });
  });
  after(async () => {
    for (const example of examples) example.kill();
    for (const { browser } of members) await browser.close();
    pages.close();
    await program[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = async (name: string, settings: Readonly<Record<string, string>> = {}): Promise<void> => {
    const browser = await Tabs.launch();
    members.push({
      name,
      browser,
      tab: await browser.open(pages.url("ring", program, { name, follow: String(FOLLOW_MILLIS), ...settings })),
    });
  };
  /** The example for a JVM, with some of its words replaced. */
  const startJvm = (name: string, edit: (source: string) => string = (source) => source): Example => {
    const java = join(folder, "Ring.java");
    const source = atHub(readFileSync(join(ROOT, "examples/hello/Ring.java"), "utf8"), program);
    const follow = `.follow(java.time.Duration.ofMillis(${FOLLOW_MILLIS})).membership(membership)`;
    writeFileSync(java, edit(source.replace(".membership(membership)", follow)));
    const classes = `${join(ROOT, "channel/target/classes")}:${readFileSync(CLASSPATH, "utf8").trim()}`;
    const jvm = new Example("java", ["-XX:TieredStopAtLevel=1", "-cp", classes, java, name]);
    examples.push(jvm);
    return jvm;
  };
  /** The example for a page or a Node process, likewise. */
  const startNode = async (edit: (source: string) => string = (source) => source): Promise<Example> => {
    const example = atHub(readFileSync(join(ROOT, "examples/hello/ring.ts"), "utf8"), program);
    const source = edit(example.replace('"orders", {', `"orders", { followMillis: ${FOLLOW_MILLIS},`));
    // Where its imports resolve.
    const script = join(ROOT, "acceptance/dist/ring.mjs");
    writeFileSync(script, (await transform(source, { loader: "ts" })).code);
    const node = new Example(process.execPath, [script]);
    examples.push(node);
    return node;
  };
  const gone = ({ name }: Member): void => {
    members = members.filter((member) => member.name !== name);
  };
  const see = async (): Promise<Shown[]> => {
    const seen = await Promise.all(
      members.map(({ tab }) => tab.evaluate<Shown>("globalThis.shown?.() ?? null").catch(() => null)),
    );
    return seen.filter((each) => each !== null);
  };
  /** All name one leader in one term, and see so many members; who is a page and leads knows it. */
  const agreed = async (count: number, not = "", withinMillis = HANG_MILLIS): Promise<Shown> => {
    const seen = await until(
      `${count} members agree on one leader${not === "" ? "" : `, not ${not}`}`,
      see,
      (all) =>
        all.length === members.length &&
        new Set(all.map(({ leader, term }) => `${leader} ${term}`)).size === 1 &&
        all.every(
          ({ name, leads, leader, ...each }) =>
            leader !== "" && leader !== not && leads === (name === leader) && each.members === count,
        ),
      withinMillis,
    );
    assert.deepEqual(
      seen.flatMap(({ errors }) => errors),
      [],
    );
    return seen[0] as Shown;
  };
  const member = (name: string): Member => {
    const found = members.find((each) => each.name === name);
    assert.ok(found, `${name} is no page`);
    return found;
  };

  test("three browsers: one leads, and all know it", async () => {
    await Promise.all(["ann", "bob", "cyd"].map((name) => open(name)));
    const { term } = await agreed(3);
    assert.ok(term >= 1);
  });

  test("one joins: the leader stays, in its term", async () => {
    const before = await agreed(3);
    await open("dora");
    const { leader, term } = await agreed(4);
    assert.deepEqual([leader, term], [before.leader, before.term]);
  });

  test("the leader's page is closed: another leads in a later term, before its lease could end", async () => {
    const before = await agreed(4);
    const first = member(before.leader);
    gone(first);
    await first.tab.navigate(new URL("about:blank"));
    const { term } = await agreed(3, before.leader, LEAD_MILLIS);
    assert.ok(term > before.term);
    await first.browser.close();
  });

  test("the leader's page stands still: another leads, and the page follows when it goes on", async () => {
    const before = await agreed(3);
    const first = member(before.leader);
    const began = performance.now();
    // The browser answers the hub's pings meanwhile, without the page.
    const still = first.tab.evaluate(
      `(() => { const r = new XMLHttpRequest(); r.open("GET", "/hang", false); r.send(); return 1; })()`,
    );
    gone(first);
    const { leader, term } = await agreed(2, before.leader);
    assert.ok(term > before.term);
    await until(
      "its lease has ended",
      () => performance.now() - began,
      (millis) => millis > LEAD_MILLIS,
    );
    pages.letGo();
    await still;
    members.push(first);
    const after = await agreed(3);
    assert.deepEqual([after.leader, after.term], [leader, term]);
    const { losses } = (await first.tab.evaluate<Shown>("shown()")) as Shown;
    assert.equal(losses.at(-1), "expired");
  });

  test("the leader's page is frozen by its browser: it leaves, another leads, and it comes back", async () => {
    const before = await agreed(3);
    const first = member(before.leader);
    gone(first);
    // Only a page that is not to be seen is frozen.
    const front = await first.browser.open(new URL("about:blank"));
    await front.activate();
    await first.tab.lifecycle("frozen");
    const { leader, term } = await agreed(2, before.leader, LEAD_MILLIS);
    assert.ok(term > before.term);
    await first.tab.lifecycle("active");
    await first.tab.activate();
    members.push(first);
    const after = await agreed(3);
    assert.deepEqual([after.leader, after.term], [leader, term]);
  });

  test("the leader's browser is killed: another leads", async () => {
    const before = await agreed(3);
    const first = member(before.leader);
    gone(first);
    await first.browser.kill();
    const { term } = await agreed(2, before.leader);
    assert.ok(term > before.term);
  });

  test("a JVM and a Node process are members too, and either leads", { skip: noJvm() }, async () => {
    const before = await agreed(2);
    const jvm = startJvm("jvm");
    const joined = await agreed(3);
    assert.deepEqual([joined.leader, joined.term], [before.leader, before.term]);
    const node = await startNode();
    await node.said(new RegExp(`^leader: ${before.leader}$`, "m"));
    await agreed(4);

    const first = member(before.leader);
    gone(first);
    await first.browser.close();
    // Both have a higher priority than the pages; the JVM came first.
    const second = await agreed(3, before.leader);
    assert.equal(second.leader, "jvm");
    await node.said(/^leader: jvm$/m);
    await jvm.said(new RegExp(`^jvm leads in term ${second.term}$`, "m"));

    jvm.kill();
    const third = await agreed(2, "jvm");
    assert.ok(third.term > second.term);
    await node.said(new RegExp(`^I lead in term ${third.term}$`, "m"));
  });

  test("with Peterson's algorithm a page, a JVM and a Node process are one ring too", { skip: noJvm() }, async () => {
    for (const example of examples) example.kill();
    for (const { browser } of members) await browser.close();
    members = [];
    await open("eve", { channel: "peterson", algorithm: "peterson" });
    const first = await agreed(1);
    const jvm = startJvm("jvm", (source) =>
      source
        .replaceAll('"orders"', '"peterson"')
        .replace(".membership(membership)", ".algorithm(dev.doyen.ring.RingAlgorithm.PETERSON).membership(membership)"),
    );
    await agreed(2);
    const node = await startNode((source) =>
      source.replace('"orders", {', '"peterson", { clientId: "node", algorithm: "peterson",'),
    );
    await node.said(/^leader: eve$/m);
    assert.deepEqual((await agreed(3)).term, first.term);

    await member("eve").tab.evaluate("ring.resign()");
    const second = await agreed(3, "eve");
    assert.equal(second.leader, "jvm");
    await jvm.said(new RegExp(`^jvm leads in term ${second.term}$`, "m"));
    jvm.kill();
    const third = await agreed(2, "jvm");
    assert.equal(third.leader, "node");
    await node.said(new RegExp(`^I lead in term ${third.term}$`, "m"));
  });
});

function noJvm(): string | false {
  return existsSync(CLASSPATH)
    ? false
    : `${CLASSPATH} is not there; build the module channel first (mvn -pl channel -am)`;
}
