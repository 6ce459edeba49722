import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { transform } from "esbuild";
import { noBrowser } from "../src/browser.js";
import { atHub, Pages } from "../src/pages.js";
import { Program, ROOT } from "../src/program.js";
import { SDKS, type SdkChannel, type SdkClient } from "../src/sdk.js";
import { Tabs, type Tab } from "../src/tabs.js";
import { until } from "../src/until.js";

/** The state that pages/tab.ts reports. */
interface Shown {
  readonly name: string;
  readonly holds: boolean;
  readonly leads: boolean;
  readonly self: boolean;
  readonly term: number;
  readonly members: number;
  readonly status: string;
  readonly id: string;
  readonly visible: boolean;
  readonly terms: readonly number[];
  readonly losses: readonly string[];
  readonly received: readonly string[];
  readonly errors: readonly string[];
  readonly restored: boolean;
}

/** The first example of the client's README, as a process. */
class Ticks {
  private readonly process: ChildProcess;
  private text = "";

  private constructor(process: ChildProcess) {
    this.process = process;
    for (const stream of [process.stdout, process.stderr]) {
      stream?.on("data", (chunk: Buffer) => (this.text += chunk.toString()));
    }
  }

  static async start(program: Program): Promise<Ticks> {
    const source = atHub(readFileSync(join(ROOT, "examples/hello/ticks.ts"), "utf8"), program);
    // The script is in this folder so that its imports resolve.
    const script = join(ROOT, "testing/acceptance/dist/ticks.mjs");
    writeFileSync(script, (await transform(source, { loader: "ts" })).code);
    return new Ticks(spawn(process.execPath, [script]));
  }

  async printed(what: RegExp): Promise<void> {
    await until(
      `the process prints ${what}`,
      () => this.text,
      (text) => what.test(text),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.process.kill("SIGKILL");
  }
}

/**
 * A time shorter than the grace period. A member with a lost connection stays present for the grace period of 15 s. So
 * a member that becomes absent within this time has left by itself.
 */
const WITHIN_GRACE_MILLIS = 14_000;

describe("tabs of one browser on one hub", { skip: noBrowser }, () => {
  let program: Program;
  let pages: Pages;
  let browser: Tabs;
  let observer: SdkClient;
  let room: SdkChannel;
  const open: { tab: Tab; name: string }[] = [];
  /** The published ticks of all tabs with their terms, in the order in which the hub accepted them. */
  const acts: { term: number; name: string; at: number }[] = [];
  let opened = 0;

  before(async () => {
    program = await Program.start();
    pages = await Pages.open(program, {
      tab: "testing/acceptance/pages/tab.ts",
      react: "testing/acceptance/pages/react.tsx",
      hello: "examples/hello/tabs.ts",
    });
    browser = await Tabs.launch();
    observer = SDKS[0]?.connect(program.hub, "observer") as SdkClient;
    room = observer.channels.get("tabs");
    await room.subscribe((message) => {
      const headers = (message as { extras?: { headers?: Record<string, unknown> } }).extras?.headers;
      if (message.name !== "tick") return;
      acts.push({ term: Number(headers?.["doyen-term"]), name: String(message.data), at: performance.now() });
    });
  });
  after(async () => {
    observer.close();
    await browser.close();
    pages.close();
    await program[Symbol.asyncDispose]();
  });

  const join = async (): Promise<void> => {
    const name = `tab ${++opened}`;
    open.push({ tab: await browser.open(pages.url("tab", program, { name })), name });
  };
  const see = async (tabs = open): Promise<Shown[]> => {
    const seen = await Promise.all(tabs.map(({ tab }) => tab.evaluate<Shown>("globalThis.shown?.() ?? null")));
    return seen.filter((each) => each !== null);
  };
  /**
   * Waits until one tab has the socket and leads, and the other tabs follow it. All tabs then report the same term,
   * client id and number of members.
   */
  const oneOf = async (tabs = open): Promise<{ holder: (typeof open)[number]; seen: Shown[] }> => {
    const seen = await until(
      "one tab is connected and leads, and the other tabs follow",
      () => see(tabs),
      (all) =>
        all.length === tabs.length &&
        all.filter((each) => each.holds).length === 1 &&
        all.every((each) => each.leads === each.holds && each.self && each.status === "connected") &&
        new Set(all.map((each) => `${each.term} ${each.id} ${each.members}`)).size === 1,
    );
    const holder = tabs[seen.findIndex((each) => each.holds)];
    assert.ok(holder);
    return { holder, seen };
  };
  const members = async (): Promise<number> => (await room.presence.get()).length;
  const actOf = (name: string, from: number): Promise<number> =>
    until(
      `${name} acts`,
      () => acts.find((act) => act.name === name && act.at >= from)?.at ?? 0,
      (at) => at > 0,
    );
  /** Checks that at most one tab published in each term, and that terms never decreased. */
  const assertOrder = (): void => {
    const tabs = new Map<number, string>();
    let last = 0;
    for (const { term, name } of acts) {
      assert.ok(term >= last, `term ${term} after ${last}`);
      assert.equal(tabs.get(term) ?? name, name, `two tabs acted in term ${term}`);
      tabs.set(term, name);
      last = term;
    }
  };

  test("three tabs have one socket, one member and one leader, and each tab sends and receives", async () => {
    for (let i = 0; i < 3; i++) await join();
    const { holder, seen } = await oneOf();
    const sockets = await Promise.all(open.map(({ tab }) => tab.evaluate<number>("openSockets()")));
    assert.equal(
      sockets.reduce<number>((sum, n) => sum + (n ?? 0), 0),
      1,
    );
    assert.equal(await members(), 1);
    assert.equal(seen[0]?.members, 1);
    for (const { tab, name } of open) await tab.evaluate(`(kept.swarm.send("said", "${name}").catch(String), null)`);
    const texts = open.map(({ name }) => `said ${name}`).sort();
    await until(
      "each tab has received each message once",
      () => see(),
      (all) => all.every((each) => JSON.stringify([...each.received].sort()) === JSON.stringify(texts)),
    );
    await actOf(holder.name, 0);
  });

  test("another tab leads in a greater term after the tab with the socket is closed", async (t) => {
    const { holder, seen } = await oneOf();
    const from = performance.now();
    open.splice(open.indexOf(holder), 1);
    await holder.tab.close();
    const next = await oneOf();
    t.diagnostic(`acted again ${Math.round((await actOf(next.holder.name, from)) - from)} ms after the tab was closed`);
    assert.ok((next.seen[0]?.term ?? 0) > (seen[0]?.term ?? 0));
    assert.equal(next.seen[0]?.id, seen[0]?.id, "the client id of the browser is unchanged");
    await until("one member", members, (n) => n === 1, WITHIN_GRACE_MILLIS);
  });

  test("the tab with the socket releases it before a freeze, and follows afterwards", async (t) => {
    await join();
    const { holder, seen } = await oneOf();
    const rest = open.filter((each) => each !== holder);
    await rest[0]?.tab.activate();
    const from = performance.now();
    await holder.tab.lifecycle("frozen");
    const next = await oneOf(rest);
    t.diagnostic(`acted again ${Math.round((await actOf(next.holder.name, from)) - from)} ms after the freeze`);
    assert.ok((next.seen[0]?.term ?? 0) > (seen[0]?.term ?? 0));
    await holder.tab.lifecycle("active");
    const { holder: still, seen: all } = await oneOf();
    assert.equal(still, next.holder);
    assert.deepEqual(all.find((each) => each.name === holder.name)?.losses.at(-1), "suspended");
  });

  test("one other tab steals the lock of a hanging tab, and the former holder does not lead", async (t) => {
    const { holder, seen } = await oneOf();
    const rest = open.filter((each) => each !== holder);
    await rest[0]?.tab.activate();
    const from = performance.now();
    const hang = `const r = new XMLHttpRequest(); r.open("GET", "/hang", false); r.send(); kept.woke = true;`;
    await holder.tab.evaluate(`(setTimeout(() => { ${hang} }), null)`);
    const next = await oneOf(rest).finally(() => pages.letGo());
    const took = (await actOf(next.holder.name, from)) - from;
    t.diagnostic(`acted again ${Math.round(took)} ms after the hang began (silence 5 s, steal requests 1 s, ttl 5 s)`);
    assert.ok((next.seen[0]?.term ?? 0) > (seen[0]?.term ?? 0));
    await until(
      "the hanging tab runs again",
      () => holder.tab.evaluate<boolean>("kept.woke ?? false"),
      (woke) => woke === true,
    );
    const { holder: still, seen: all } = await oneOf();
    assert.equal(still, next.holder);
    assert.equal(
      all.find((each) => each.name === holder.name)?.terms.at(-1),
      seen[0]?.term,
      "the former holder has not led since",
    );
    await until("one member", members, (n) => n === 1, WITHIN_GRACE_MILLIS);
  });

  test("the back button restores the page that had the socket", async (t) => {
    const { holder } = await oneOf();
    const rest = open.filter((each) => each !== holder);
    await holder.tab.navigate(new URL("/elsewhere", pages.origin));
    const next = await oneOf(rest);
    await holder.tab.evaluate("(history.back(), null)");
    const { holder: still, seen } = await oneOf();
    assert.equal(still, next.holder);
    const back = seen.find((each) => each.name === holder.name);
    t.diagnostic(`the browser ${back?.restored ? "restored" : "reloaded"} the page`);
    assert.ok(back?.restored, "the page held nothing that prevents its restoration");
  });

  test("without Web Locks, each tab has its own socket and logs one warning", async () => {
    const alone = { name: "alone", tab: await browser.open(pages.url("tab", program, { name: "alone", alone: "" })) };
    const [seen] = await until(
      "the tab has its own connection",
      () => see([alone]),
      ([each]) => each?.status === "connected" && each.holds,
    );
    const { holder } = await oneOf();
    assert.notEqual(seen?.id, (await see([holder]))[0]?.id);
    await until("two members are present", members, (n) => n === 2);
    assert.deepEqual(await alone.tab.evaluate("warned"), [
      "swarm: each tab opens its own connection, because this browser has no Web Locks",
    ]);
    await alone.tab.close();
    await until("one member", members, (n) => n === 1, WITHIN_GRACE_MILLIS);
  });

  test("at most one tab acts in each term, and no tab reports an error", async () => {
    assertOrder();
    assert.ok(new Set(acts.map((act) => act.term)).size >= 5);
    assert.deepEqual(
      (await see()).flatMap((each) => each.errors),
      [],
    );
  });

  test("React components in strict mode share one socket in all tabs, and one tab leads until a process leads", async () => {
    const text = (tab: Tab) => tab.evaluate<string>("document.body.innerText");
    const sockets = (tab: Tab) => tab.evaluate<number>("globalThis.sockets?.length ?? 0");
    const first = await browser.open(pages.url("react", program));
    const shows = (tab: Tab, what: RegExp) =>
      until(
        `the page shows ${what}`,
        () => text(tab),
        (text) => what.test(text ?? ""),
      );
    const leads = /this tab leads in term (\d+), and has acted [1-9]\d* times[^]*only in term \1$/m;
    const term = Number(leads.exec((await shows(first, leads)) ?? "")?.[1]);
    assert.equal(await sockets(first), 1);

    const second = await browser.open(pages.url("react", program));
    await shows(second, /one of 1 leads[^]*follows/);
    assert.equal(await sockets(second), 0);

    await first.evaluate(`(document.querySelector("#second").click(), null)`);
    await until(
      "the second component is unmounted",
      () => text(first),
      (text) => text?.includes("only in") === false,
    );
    await first.evaluate(`(document.querySelector("#second").click(), null)`);
    await shows(first, leads);
    assert.equal(await sockets(first), 1, "a component that mounts again opens no socket");

    await first.close();
    const later = Number(leads.exec((await shows(second, leads)) ?? "")?.[1]);
    assert.ok(later > term, `term ${later} after ${term}`);
    assert.equal(await sockets(second), 1);

    const plain = await browser.open(pages.url("hello", program));
    await shows(plain, /this browser leads[^]*hello: by another tab's/);
    assert.equal(await sockets(plain), 0, "pages with and without React have the same scope");
    await second.evaluate(`(document.querySelector("main button").click(), null)`);
    await using ticks = await Ticks.start(program);
    await ticks.printed(/^tick \{ n: 1 \}\n[^]*^tick \{ n: 2 \}\n/m);
    await shows(second, /one of 2 leads/);
  });
});
