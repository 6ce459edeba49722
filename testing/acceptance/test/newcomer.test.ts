import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { launch, noBrowser } from "../src/browser.js";
import { ROOT } from "../src/program.js";
import { HANG_MILLIS, until } from "../src/until.js";

const PAGE = join(ROOT, "docs/guide/first-leader.md");
/** Returns the shell blocks of a section, in the order in which a reader types them. */
function blocksOf(section: string): readonly string[] {
  const text = readFileSync(PAGE, "utf8")
    .split(/^## /m)
    .find((each) => each.startsWith(`${section}\n`));
  assert.ok(text !== undefined, `${PAGE} has a section "${section}"`);
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map((block) => block[1] ?? "");
}

/** A terminal in which the test has typed a block. */
class Terminal {
  output = "";
  private readonly pid: number;
  private readonly ended: Promise<void>;

  constructor(block: string, folder: string) {
    const shell = spawn("bash", ["-c", block], {
      cwd: folder,
      detached: true,
      env: { ...process.env, PYTHONUNBUFFERED: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    assert.ok(shell.pid !== undefined, "bash starts");
    this.pid = shell.pid;
    shell.stdout.on("data", (chunk: Buffer) => (this.output += chunk.toString()));
    shell.stderr.on("data", (chunk: Buffer) => (this.output += chunk.toString()));
    this.ended = new Promise((resolve) => shell.on("close", () => resolve()));
  }

  /** Returns the term in which this candidate last reported that it leads; 0 if it never led. */
  term(id: string): number {
    return Number([...this.output.matchAll(new RegExp(`^${id} leads in term (\\d+)$`, "gm"))].at(-1)?.[1] ?? 0);
  }

  /** Sends Ctrl-C to all processes that were started in this terminal. */
  async end(): Promise<void> {
    try {
      process.kill(-this.pid, "SIGINT");
    } catch {
      // All processes had already ended.
    }
    await this.ended;
  }
}

/** Returns the reason to skip a test if one of these ports is in use; false if all ports are free. */
async function inUse(...ports: number[]): Promise<string | false> {
  for (const port of ports) {
    const free = await new Promise<boolean>((resolve) => {
      const server = createServer();
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
    });
    if (!free) return `port ${port}, which the page uses, is in use on this machine`;
  }
  return false;
}

describe("the commands of the page first-leader.md", () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), "doyen-newcomer-"));
    symlinkSync(ROOT, join(folder, "doyen"));
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  async function twoTerminals(section: string, one: string, two: string): Promise<void> {
    const [first = "", second = ""] = blocksOf(section);
    const left = new Terminal(first, folder);
    const right: Terminal[] = [];
    try {
      const output = () => `${left.output}\n--\n${right[0]?.output ?? ""}`;
      await until(`${one} leads`, output, () => left.term(one) > 0);
      const other = new Terminal(second, folder);
      right.push(other);
      await until(`${two} reports the leader ${one}`, output, () => other.output.includes(one));
      assert.equal(other.term(two), 0, `${two} does not lead while ${one} leads`);
      await left.end();
      const led = left.term(one);
      await until(`${two} leads`, output, () => other.term(two) > 0);
      assert.ok(other.term(two) > led, `${two} leads in term ${other.term(two)}, after term ${led}`);
    } finally {
      for (const terminal of [left, ...right]) await terminal.end();
    }
  }

  test("elect a leader with the shell", () => twoTerminals("Shell", "one", "two"));

  test("elect a leader with Java", () => twoTerminals("Java", "node-1", "node-2"));

  test("elect a leader without a store", async (t) => {
    const taken = await inUse(7801, 7802, 7803);
    if (taken !== false) {
      t.skip(taken);
      return;
    }
    const ids = ["one", "two", "three"];
    const terminals = blocksOf("Without a store").map((block) => new Terminal(block, folder));
    assert.equal(terminals.length, ids.length);
    const output = () => terminals.map((each) => each.output).join("\n--\n");
    const terms = () => terminals.map((each, i) => each.term(ids[i] ?? ""));
    try {
      await until("one of three candidates leads", output, () => Math.max(...terms()) > 0);
      const term = Math.max(...terms());
      await terminals[terms().indexOf(term)]?.end();
      await until("another candidate leads", output, () => Math.max(...terms()) > term);
    } finally {
      for (const terminal of terminals) await terminal.end();
    }
  });

  const noCluster = process.env["KUBECONFIG"] === undefined && "KUBECONFIG names no cluster";
  test("elect a leader on Kubernetes", { skip: noCluster }, () => twoTerminals("Kubernetes", "one", "two"));

  test("elect a leader in the browser", { skip: noBrowser }, async (t) => {
    const taken = await inUse(8000, 8080, 4040, 4041);
    if (taken !== false) {
      t.skip(taken);
      return;
    }
    const [hub = "", files = ""] = blocksOf("Browser");
    const terminals = [new Terminal(hub, folder), new Terminal(files, folder)];
    const output = () => terminals.map((each) => each.output).join("\n--\n");
    const browser = await launch();
    try {
      await until("both serve", output, (text) => text.includes("Ctrl-C stops it.") && text.includes("Serving HTTP"));
      const context = await browser.newContext();
      context.setDefaultTimeout(HANG_MILLIS);
      const first = await context.newPage();
      await first.goto("http://localhost:8080/");
      const text = (page: typeof first) => page.evaluate(() => document.body.innerText);
      await until(
        "the first page leads",
        () => text(first),
        (shown) => /I lead in term \d/.test(shown),
      );
      const second = await context.newPage();
      await second.goto("http://localhost:8080/");
      await until(
        "the second page follows",
        () => text(second),
        (shown) => /leader: \w/.test(shown),
      );
      assert.ok(!(await text(second)).includes("I lead"));
      await first.close({ runBeforeUnload: true });
      await until(
        "the second page leads",
        () => text(second),
        (shown) => /I lead in term \d/.test(shown),
      );
    } finally {
      await browser.close();
      for (const terminal of terminals) await terminal.end();
    }
  });
});
