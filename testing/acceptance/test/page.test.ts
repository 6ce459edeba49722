import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { launch, noBrowser, open, shown, type Shown } from "../src/browser.js";
import { Ledger } from "../src/ledger.js";
import { Program } from "../src/program.js";
import { Tabs } from "../src/tabs.js";
import { until } from "../src/until.js";

/**
 * The ttl of claims in tests that do not wait until a claim has expired. It is long, so that a delayed page keeps its
 * term.
 */
const LONG_TTL_MILLIS = 15_000;
const LONG_TTL = `${LONG_TTL_MILLIS}ms`;
/** A short ttl for tests that wait until a claim has expired. */
const SHORT_TTL = "5s";
/** The time for which a member stays in the presence set after its connection is lost. */
const GRACE_MILLIS = 15_000;

describe("the counter page in Chromium", { skip: noBrowser }, () => {
  let browser: Browser;
  let program: Program;
  let ledger: Ledger;
  let context: BrowserContext;
  let errors: string[];

  before(async () => {
    browser = await launch();
  });
  after(() => browser.close());
  /** Starts the hub with this ttl for the pages' claims. */
  async function start(claimTtl: string): Promise<void> {
    program = await Program.start({ claimTtl });
    ledger = await Ledger.open(program.hub);
    context = await browser.newContext();
    errors = [];
    context.on("weberror", (error) => errors.push(error.error().message));
  }
  afterEach(async () => {
    ledger.close();
    await context.close();
    await program[Symbol.asyncDispose]();
    assert.deepEqual(errors, [], "no page throws");
  });

  const openPages = (n: number): Promise<Page[]> =>
    Promise.all(Array.from({ length: n }, () => open(context, program.hub)));
  const all = (pages: Page[]): Promise<Shown[]> => Promise.all(pages.map(shown));
  const leaders = (seen: Shown[]): Shown[] => seen.filter((page) => page.leader);
  const counting = (pages: Page[], from: number): Promise<Shown[]> =>
    until(
      `${pages.length} pages show the same count above ${from}, and one page leads`,
      () => all(pages),
      (seen) =>
        leaders(seen).length === 1 && new Set(seen.map((p) => p.count)).size === 1 && (seen[0]?.count ?? 0) > from,
    );
  const leaderOf = async (pages: Page[]): Promise<{ leader: Page; term: number; count: number }> => {
    const seen = await counting(pages, 0);
    const at = seen.findIndex((page) => page.leader);
    const { term, count } = seen[at]!;
    return { leader: pages[at]!, term, count };
  };
  /** Returns true if the page leads and its current term is this term. */
  const leadsIn = async (page: Page, term: number): Promise<boolean> => {
    const seen = await shown(page);
    return seen.leader && seen.term === term;
  };

  test("three pages have exactly one leader and equal, rising counters", async () => {
    await start(LONG_TTL);
    const pages = await openPages(3);
    const first = await counting(pages, 0);
    const later = await counting(pages, (first[0]?.count ?? 0) + 2);
    assert.equal(new Set(later.map((page) => page.term)).size, 1);
    ledger.assertUnbroken();
  });

  test("after the leader's page is closed, another page leads before the ttl ends and continues with the next number", async (t) => {
    await start(LONG_TTL);
    const pages = await openPages(3);
    const { leader } = await leaderOf(pages);
    await counting(pages, 2);
    const rest = pages.filter((page) => page !== leader);
    const before = ledger.last?.term ?? 0;
    const closed = performance.now();
    await leader.close({ runBeforeUnload: true });
    const next = await until(
      "a number of the next leader",
      () => ledger.last,
      (last) => (last?.term ?? 0) > before,
    );
    const took = (next?.at ?? 0) - closed;
    t.diagnostic(`the next number came ${Math.round(took)} ms after the page was closed`);
    assert.ok(took < LONG_TTL_MILLIS, `the next number came ${Math.round(took)} ms after the page was closed`);
    await counting(rest, next?.n ?? 0);
    ledger.assertUnbroken();
  });

  test("after the leader's browser is killed, another page continues the count within the grace period", async (t) => {
    await start(SHORT_TTL);
    const other = await launch();
    try {
      const doomed = await open(await other.newContext(), program.hub);
      await leaderOf([doomed]);
      const pages = await openPages(2);
      await counting([doomed, ...pages], 2);
      const before = ledger.last?.term ?? 0;
      process.kill((await pidOf(other)) ?? 0, "SIGKILL");
      const killed = performance.now();
      const next = await until(
        "a number of the next leader",
        () => ledger.last,
        (last) => (last?.term ?? 0) > before,
      );
      const took = (next?.at ?? 0) - killed;
      t.diagnostic(`the next number came ${Math.round(took)} ms after the kill`);
      assert.ok(
        took < GRACE_MILLIS,
        `the next number came ${Math.round(took)} ms after the kill; the ttl is ${SHORT_TTL}`,
      );
      await counting(pages, next?.n ?? 0);
      ledger.assertUnbroken();
    } finally {
      await other.close().catch(() => {});
    }
  });

  test("a frozen leader is replaced, and the hub then rejects its write with the old term", async () => {
    await start(SHORT_TTL);
    const pages = await openPages(3);
    const { leader, term, count } = await leaderOf(pages);
    await leader.click("#freeze");
    const rest = pages.filter((page) => page !== leader);
    await counting(rest, count + 1);
    await until(
      "the deadline of the frozen leader has passed",
      () => shown(leader),
      (seen) => seen.mode === "frozen" && !seen.leader,
    );
    await leader.click("#old-term");
    const refusal = await leader.waitForSelector("#refusal:not([hidden])");
    const [, later] =
      new RegExp(`carried term ${term}\\. The channel had already seen term (\\d+),`).exec(
        (await refusal.textContent()) ?? "",
      ) ?? [];
    assert.ok(Number(later) > term, (await refusal.textContent()) ?? "");
    await counting(pages, (ledger.last?.n ?? 0) + 1);
    assert.equal(await leadsIn(leader, term), false);
    ledger.assertUnbroken();
  });

  test("the guide closes the leader, freezes the next leader, and shows why the hub rejects its write", async () => {
    await start(SHORT_TTL);
    const pages = await openPages(3);
    const { leader, term } = await leaderOf(pages);
    const guide = pages.find((page) => page !== leader)!;
    for (const action of ["close", "freeze", "write"]) await guide.click(`#guide-${action}:enabled`);
    const text = await until(
      "the hub's answer",
      () => guide.textContent("#guide-text"),
      (shownText) => shownText?.includes("rejected") === true,
    );
    const [, written, seen] = /carried term (\d+)\. The channel had already seen term (\d+),/.exec(text ?? "") ?? [];
    assert.ok(Number(written) > term && Number(seen) > Number(written), text ?? "");
    ledger.assertUnbroken();
  });

  test("a disconnected leader is replaced, and follows after its return", async () => {
    await start(SHORT_TTL);
    const pages = await openPages(3);
    const { leader, term } = await leaderOf(pages);
    await leader.click("#kill");
    const rest = pages.filter((page) => page !== leader);
    await counting(rest, ledger.last?.n ?? 0);
    await leader.click("#kill");
    await counting(pages, (ledger.last?.n ?? 0) + 1);
    assert.equal(await leadsIn(leader, term), false);
    ledger.assertUnbroken();
  });

  test("a leader that resigns is replaced before the ttl ends", async () => {
    await start(LONG_TTL);
    const pages = await openPages(2);
    const { leader, term } = await leaderOf(pages);
    const before = ledger.last?.term ?? 0;
    await leader.click("#resign");
    await until(
      "the next term",
      () => ledger.last,
      (last) => (last?.term ?? 0) > before,
      LONG_TTL_MILLIS,
    );
    await counting(pages, ledger.last?.n ?? 0);
    assert.equal(await leadsIn(leader, term), false);
    ledger.assertUnbroken();
  });

  test("20 pages that open at once have one leader and one count", async () => {
    await start(LONG_TTL);
    const pages = await openPages(20);
    await until(
      "20 pages report one leader",
      () => all(pages),
      (seen) => leaders(seen).length === 1 && seen.every((page) => page.term === leaders(seen)[0]?.term),
    );
    ledger.assertUnbroken();
  });

  test("a tab that the browser freezes resigns, and follows afterwards", async () => {
    await start(LONG_TTL);
    const tabs = await Tabs.launch();
    try {
      const leader = await tabs.open(program.hub);
      await until(
        "the first tab leads",
        () => leader.shown(),
        (seen) => seen.leader && seen.count > 1,
      );
      const other = await tabs.open(program.hub);
      await other.activate();
      await until(
        "both tabs count",
        () => other.shown(),
        (seen) => seen.count > 2,
      );
      const before = ledger.last?.term ?? 0;
      await leader.lifecycle("frozen");
      const next = await until(
        "the other tab leads",
        () => other.shown(),
        (seen) => seen.leader && seen.term > before,
      );
      const held = ledger.last?.n ?? 0;
      await until(
        "the other tab continues the count",
        () => ledger.last?.n ?? 0,
        (n) => n > held + 1,
      );
      await leader.lifecycle("active");
      await leader.activate();
      const seen = await until(
        "the resumed tab follows",
        () => leader.shown(),
        (now) => now.term > before && now.count > held,
      );
      assert.ok(!seen.leader || seen.term > next.term, "the resumed tab does not lead in the other tab's term");
      ledger.assertUnbroken();
    } finally {
      await tabs.close();
    }
  });

  async function pidOf(killable: Browser): Promise<number | undefined> {
    const session = await killable.newBrowserCDPSession();
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    return processInfo.find((each) => each.type === "browser")?.id;
  }
});
