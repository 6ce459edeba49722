import assert from "node:assert/strict";
import { after, before, describe, test, type TestContext } from "node:test";
import { noBrowser } from "../src/browser.js";
import { Firefox, noFirefox, type FirefoxTab } from "../src/firefox.js";
import { Pages } from "../src/pages.js";
import { seeded } from "../src/seeded.js";
import { NO_HUB, Room, type NamedTab, type Shown } from "../src/serverless.js";
import { Tabs, type AnyBrowser, type AnyTab } from "../src/tabs.js";
import { until } from "../src/until.js";

/** The time after which Chromium aborts the transaction of a frozen page. */
const BLOCKED_MILLIS = 60_000;
/** The number of random handovers. Set DOYEN_CHURNS to 1000 for a long run. */
const CHURNS = Number(process.env["DOYEN_CHURNS"] ?? 5);
const TABS = 20;
/** The ttl of the tabs that replace a leader that hangs. It is short, so that the test is short. */
const HANG_TTL_MILLIS = 2000;

let pages: Pages;

before(async () => {
  pages = await Pages.open(NO_HUB, {
    tab: "testing/acceptance/pages/serverless-tab.ts",
    "serverless-worker": "testing/acceptance/pages/serverless-worker.ts",
    frameworks: "testing/acceptance/pages/frameworks.tsx",
  });
});
after(() => pages.close());

/** Prints the time without a leader, for the table in the README of @doyen/tabs. */
async function report(t: TestContext, what: string, room: Room<AnyTab>, term: number): Promise<void> {
  t.diagnostic(`${what}: ${await room.gapBefore(term)} ms without a leader`);
}

/** Ends the leadership of a tab of this room. */
type End<T extends AnyTab> = (tabs: Room<T>, leader: NamedTab<T> & { term: number }) => Promise<void>;

/** The ends of a leadership that need no function of a browser. */
const ENDS: Readonly<Record<string, End<AnyTab>>> = {
  close: async (tabs, { tab, name }) => {
    tabs.remove(name);
    await tab.close();
    await tabs.join();
  },
  "back-forward cache": async (tabs, { tab, name, term }) => {
    await tab.navigate(new URL("/elsewhere", pages.origin));
    await tabs.leader(term, tabs.others(name));
    await tab.evaluate("(history.back(), null)");
  },
  resign: async (_, { tab }) => void (await tab.evaluate("(swarm.resign(), null)")),
};

/** Tests that every browser passes. The random handovers also use the ends that only this browser supports. */
function commonTests<T extends AnyTab>(
  get: () => AnyBrowser<T>,
  ownEnds: Readonly<Record<string, End<T>>> = {},
): () => Room<T> {
  let room: Room<T>;

  test("one_of_20_tabs_leads_and_answers_the_calls_of_the_others", async () => {
    room = new Room(get(), pages, "room");
    for (let i = 0; i < TABS; i++) await room.join();
    const { name } = await room.leader();
    const [other] = room.others(name);
    await other!.tab.evaluate(`(calls.call("sum", [1, 2]).then((answer) => (globalThis.answer = answer)), null)`);
    const answer = await until(
      "the leader answers",
      () => other!.tab.evaluate<{ by: string }>("globalThis.answer ?? null"),
      (seen) => seen !== null,
    );
    assert.equal(answer?.by, name);
    // The other tests use fewer tabs, because 20 tabs are slow on a small machine.
    for (const { tab, name: rest } of room.others(name).slice(4)) {
      room.remove(rest);
      await tab.close();
    }
  });

  test("another_tab_leads_after_the_leader_closes_or_leaves_its_page", async (t) => {
    for (const end of ["close", "navigate"]) {
      const { tab, name, term } = await room.leader();
      room.remove(name);
      if (end === "close") await tab.close();
      else await tab.navigate(new URL("/elsewhere", pages.origin));
      const next = await room.leader(term);
      assert.equal(next.seen.checkpoint, name, "the saved state moves to the next tab");
      await report(t, end, room, next.term);
    }
  });

  test("a_leader_in_the_back_forward_cache_does_not_lead_and_follows_when_it_returns", async (t) => {
    const { tab, name, term } = await room.leader();
    await tab.navigate(new URL("/elsewhere", pages.origin));
    const next = await room.leader(term, room.others(name));
    await report(t, "back-forward cache", room, next.term);
    await tab.evaluate("(history.back(), null)");
    await room.leader(term);
    const shown = await tab.evaluate<{ restored: boolean; losses: string[] }>("shown()");
    t.diagnostic(`the browser ${shown?.restored ? "restored" : "reloaded"} the page`);
    if (shown?.restored) assert.deepEqual(shown.losses.slice(-1), ["suspended"]);
  });

  test("a_leader_that_hangs_is_replaced_and_does_not_lead_when_it_continues", async (t) => {
    const tabs = new Room(get(), pages, "hang", { ttlMillis: String(HANG_TTL_MILLIS) });
    for (let i = 0; i < 3; i++) await tabs.join();
    const { tab, name, term } = await tabs.leader();
    await tab.activate();
    await until(
      "the visible leader has its short ttl",
      () => tab.evaluate<number>("swarm.remainingMillis"),
      (millis) => millis !== null && millis > 0 && millis < HANG_TTL_MILLIS,
    );
    await tab.evaluate(`hang(${3 * HANG_TTL_MILLIS})`);
    const next = await tabs.leader(term, tabs.others(name));
    await report(t, "hang of a visible tab", tabs, next.term);
    await tabs.leader(term);
    for (const each of tabs.open) await each.tab.close();
  });

  test("a_worker_leads_and_a_tab_leads_after_the_worker_ends", async (t) => {
    const worker = await get().open(pages.url("serverless-worker", NO_HUB));
    const before = await until(
      "the worker leads",
      () => worker.evaluate<{ leads: boolean; term: number }>("globalThis.reported ?? null"),
      (seen) => seen?.leads === true,
    );
    const tabs = new Room(get(), pages, "worker room");
    await tabs.join();
    await until(
      "the tab follows the worker",
      () => tabs.open[0]!.tab.evaluate<number>("swarm.term"),
      (term) => term === before?.term,
    );
    await worker.evaluate("worker.terminate()");
    const next = await tabs.leader(before?.term);
    assert.equal(next.seen.checkpoint, "worker");
    for (const { tab } of [...tabs.open, { tab: worker }]) await tab.close();
    t.diagnostic("a tab leads after the worker");
  });

  test("another_tab_leads_after_the_browser_discards_the_leader", async (t) => {
    const tabs = new Room<T>(get(), pages, "discard");
    for (let i = 0; i < 3; i++) await tabs.join();
    const { tab, name, term, seen } = await tabs.leader();
    tabs.remove(name);
    const discarded = await get().discard(tab);
    const next = await tabs.leader(term);
    assert.equal(next.seen.checkpoint, name, "the saved state moves to the next tab");
    await report(t, "discard", tabs, next.term);
    const again = await discarded.reload();
    await until(
      "the browser has loaded the discarded page again, which follows the leader",
      () => again.evaluate<Shown>("globalThis.shown?.() ?? null"),
      (shown) => shown !== null && shown.id !== seen.id && shown.term === next.term,
    );
    await again.close();
    for (const each of tabs.open) await each.tab.close();
  });

  test("at_most_one_tab_leads_at_any_instant_during_random_handovers", async (t) => {
    // With a longer cooldown, several tabs that resign in a row would leave no candidate.
    const tabs = new Room<T>(get(), pages, "churn", { cooldownMillis: "500" });
    const below = seeded(Number(process.env["DOYEN_SEED"] ?? 1));
    const discard: End<T> = async (_, { tab, name }) => {
      tabs.remove(name);
      await (await get().discard(tab)).close();
      await tabs.join();
    };
    const ends: [string, End<T>][] = Object.entries({ ...ENDS, discard, ...ownEnds });
    const counts: Record<string, number> = {};
    for (let i = 0; i < 4; i++) await tabs.join();
    let term = 0;
    for (let i = 0; i < CHURNS; i++) {
      const leader = await tabs.leader(term);
      ({ term } = leader);
      const [name, end] = ends[below(ends.length)]!;
      counts[name] = (counts[name] ?? 0) + 1;
      await end(tabs, leader);
    }
    const last = await tabs.leader(term);
    const gaps = (await tabs.ledger(last.term)).sort((a, b) => a - b);
    assert.ok(gaps.length >= CHURNS, `${gaps.length} handovers`);
    const at = (part: number) => gaps[Math.floor((gaps.length - 1) * part)];
    t.diagnostic(
      `${JSON.stringify(counts)}: without a leader: median ${at(0.5)} ms, 99 % ${at(0.99)} ms, most ${at(1)} ms`,
    );
    for (const { tab } of tabs.open) await tab.close();
  });

  return () => room;
}

describe("tabs of one Chromium without a server", { skip: noBrowser }, () => {
  let browser: Tabs;

  before(async () => {
    browser = await Tabs.launch();
  });
  after(() => browser.close());

  const room = commonTests(() => browser, {
    crash: async (tabs, { tab, name }) => {
      tabs.remove(name);
      void tab.navigate(new URL("chrome://crash")).catch(() => {});
      await tabs.join();
    },
    freeze: async (tabs, { tab, name, term }) => {
      await tab.lifecycle("frozen");
      await tabs.leader(term, tabs.others(name));
      await tab.lifecycle("active");
    },
  });

  test("another_tab_leads_after_the_leader_crashes", async (t) => {
    await room().join();
    await room().join();
    const { tab, name, term } = await room().leader();
    room().remove(name);
    void tab.navigate(new URL("chrome://crash")).catch(() => {});
    const next = await room().leader(term);
    assert.equal(next.seen.checkpoint, name, "the saved state moves to the next tab");
    await report(t, "crash", room(), next.term);
  });

  test("a_frozen_leader_stops_leading", async (t) => {
    const { tab, name, term } = await room().leader();
    await tab.lifecycle("frozen");
    const next = await room().leader(term, room().others(name));
    // A transaction that a frozen page leaves open blocks the other tabs, in Chromium for 60 s.
    assert.ok((await room().gapBefore(next.term)) < BLOCKED_MILLIS);
    await report(t, "freeze", room(), next.term);
    await tab.lifecycle("active");
    await room().leader(term);
  });

  test("React_and_Vue_show_the_leader", async () => {
    const page = await browser.open(pages.url("frameworks", NO_HUB));
    const text = (id: string) => page.evaluate<string>(`document.getElementById("${id}")?.textContent ?? ""`);
    /** Waits until both frameworks show that this page leads in a term above this one. Returns the term. */
    const leads = async (above: number): Promise<number> => {
      const shows = (shown: string | null): number => Number(/^true (\d+) connected/.exec(shown ?? "")?.[1] ?? 0);
      const vue = await until(
        "Vue shows the leader",
        () => text("vue"),
        (shown) => shows(shown) > above,
      );
      const react = await until(
        "React shows the leader",
        () => text("react"),
        (shown) => shows(shown) > above,
      );
      assert.match(react ?? "", /^true (\d+) connected in \1$/);
      return shows(vue);
    };
    const term = await leads(0);
    await page.evaluate("(swarm.resign(), null)");
    await leads(term);
    await page.evaluate(`(document.getElementById("mount").click(), null)`);
    await until(
      "React has unmounted the component",
      () => text("react"),
      (seen) => seen === "",
    );
    assert.equal(await page.evaluate("swarm.isLeader"), true, "the swarm stays open");
    await page.close();
  });
});

describe("tabs of one Firefox without a server", { skip: noFirefox }, () => {
  let browser: Firefox;

  before(async () => {
    browser = await Firefox.launch();
  });
  after(() => browser.close());

  commonTests(() => browser);

  test("another_tab_leads_after_the_process_of_the_leader_is_killed", async (t) => {
    const tabs = new Room<FirefoxTab>(browser, pages, "crash");
    for (let i = 0; i < 6; i++) await tabs.join();
    const { tab, name, term } = await tabs.leader();
    const killed = await browser.processOf(tab);
    for (const each of tabs.others(name)) if ((await browser.processOf(each.tab)) === killed) tabs.remove(each.name);
    tabs.remove(name);
    process.kill(killed, "SIGKILL");
    const next = await tabs.leader(term);
    assert.equal(next.seen.checkpoint, name, "the saved state moves to the next tab");
    await report(t, "crash", tabs, next.term);
  });
});
