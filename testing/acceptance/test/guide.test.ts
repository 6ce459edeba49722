import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import type { Browser, BrowserContext } from "playwright-core";
import { launch, noBrowser, open } from "../src/browser.js";
import { GuideLedger } from "../src/guideledger.js";
import { Link } from "../src/link.js";
import { Pages } from "../src/pages.js";
import { Program } from "../src/program.js";
import { SDKS } from "../src/sdk.js";
import { seeded } from "../src/seeded.js";
import { Tabs } from "../src/tabs.js";
import { HANG_MILLIS, until } from "../src/until.js";

/** With `GUIDE=long`, the tests use the real grace time, cut the leader off for 25 s, and stop it for 70 s. */
const LONG = process.env["GUIDE"] === "long";
const CUT_MILLIS = LONG ? 25_000 : 0;
const STOP_MILLIS = LONG ? 70_000 : 0;
const ROUNDS = LONG ? 150 : 6;
const SEED = Number(process.env["GUIDE_SEED"] ?? 20261130);
const MOST_PAGES = 5;
/** After two minutes, the SDK discards its connection, and the hub no longer recognizes the client (rule C21). */
const MOST_CUT_MILLIS = 60_000;
const ENOUGH = 3;

/** The page's own record of its leadership. */
interface Kept {
  readonly elections: number;
  readonly rejections: readonly string[];
}

/** The page that a test cuts off or stops. */
interface Victim {
  kept(): Promise<Kept>;
  stop(): void;
  resume(): void;
}

describe("the guide's program in Chromium", { skip: noBrowser }, () => {
  let program: Program;
  let browser: Browser;
  let pages: Pages;
  before(async () => {
    [browser, program] = await Promise.all([launch(), Program.start()]);
    pages = await Pages.open(program, { guide: "testing/acceptance/pages/guide.ts" });
  });
  after(async () => {
    pages.close();
    await browser.close();
    await program[Symbol.asyncDispose]();
  });

  let context: BrowserContext;
  let ledger: GuideLedger;
  let channel: string;
  const links: Link[] = [];
  beforeEach(async () => {
    context = await browser.newContext();
  });
  afterEach(async () => {
    ledger.close();
    links.splice(0).forEach((link) => link.close());
    await context.close();
  });

  const begin = async (name: string): Promise<void> => {
    channel = name;
    ledger = await GuideLedger.open(program.hub, name);
  };
  const link = async (): Promise<Link> => {
    const opened = await Link.open(program.hub);
    links.push(opened);
    return opened;
  };
  const url = (clientId: string, port: string, sdk: string, grace = !LONG): URL =>
    pages.url("guide", program, {
      clientId,
      port,
      sdk,
      channel,
      interval: "100",
      ...(grace && { grace: "1000" }),
    });
  const counts = (clientId: string, more = ENOUGH): Promise<unknown> => {
    const enough = ledger.by(clientId) + more;
    return until(
      `${clientId} publishes its counts`,
      () => ({ counted: ledger.by(clientId), leads: ledger.leads, strays: ledger.strays.length }),
      ({ counted }) => counted >= enough,
      HANG_MILLIS,
    );
  };

  /** Stops the leader until page 1 leads, and checks that the hub then rejects the counts of the former leader. */
  const replaces = async (victim: Victim, millis: number): Promise<void> => {
    await counts("page 0");
    const since = performance.now();
    victim.stop();
    await counts("page 1");
    await until(
      `the page is stopped for ${millis} ms`,
      () => performance.now() - since,
      (elapsed) => elapsed >= millis,
    );
    victim.resume();
    const { rejections } = await until(
      "the hub rejects the counts of the former leader",
      async () => ({ ...(await victim.kept()), strays: ledger.strays.length }),
      (kept) => kept.rejections.length > ENOUGH || kept.strays > 0,
    );
    await counts("page 1");
    ledger.assertOneAuthor();
    // If page 1 has lost its connection in the meantime, nobody leads.
    const now = /^("page 1" leads ".*" in term \d+, not you|you do not lead ".*"); stop publishing as the leader/;
    assert.match(String(rejections[0]), now);
    assert.ok(ledger.terms >= 2, `${ledger.terms} terms`);
  };

  for (const { name: sdk } of SDKS) {
    test(`a leader that was cut off publishes no count after it has returned, with ${sdk}`, async () => {
      await begin(`cut ${sdk}`);
      const hub = await link();
      const first = await open(context, url("page 0", hub.port, sdk));
      await counts("page 0", 1);
      await open(context, url("page 1", program.hub.port, sdk));
      await until(
        "page 1 is present",
        () => ledger.members,
        (members) => members === 2,
      );
      const kept = () => first.evaluate(() => (globalThis as unknown as { kept: Kept }).kept);
      await replaces({ kept, stop: () => hub.cut(), resume: () => hub.mend() }, CUT_MILLIS);
    });
  }

  test("a leader whose browser was stopped publishes no count after it continues", async () => {
    await begin("stop");
    const hub = await link();
    const stopped = await Tabs.launch();
    try {
      const sdk = SDKS[0]?.name ?? "";
      const first = await stopped.open(url("page 0", hub.port, sdk));
      await counts("page 0", 1);
      await open(context, url("page 1", program.hub.port, sdk));
      await until(
        "page 1 is present",
        () => ledger.members,
        (members) => members === 2,
      );
      const kept = async () => (await first.evaluate<Kept>("kept")) ?? { elections: 0, rejections: [] };
      const stop = (): void => {
        stopped.signal("SIGSTOP");
        // In the long form, the hub itself finds out that the browser is silent.
        if (!LONG) hub.cut();
      };
      const resume = (): void => {
        hub.mend();
        stopped.signal("SIGCONT");
      };
      await replaces({ kept, stop, resume }, STOP_MILLIS);
    } finally {
      stopped.signal("SIGCONT");
      await stopped.close();
    }
  });

  test(`no count has an author that does not lead, over ${ROUNDS} rounds (seed ${SEED})`, async () => {
    await begin("churn");
    const random = seeded(SEED);
    const present: { id: string; hub: Link; close: () => Promise<void>; cutAt: number | null }[] = [];
    const join = async (): Promise<void> => {
      const hub = await link();
      const id = `page ${random(1_000_000)}`;
      const page = await open(context, url(id, hub.port, SDKS[random(SDKS.length)]?.name ?? "", true));
      present.push({ id, hub, close: () => page.close(), cutAt: null });
    };
    let cuts = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const counted = ledger.counts.length;
      const leader = present.find(({ id }) => id === ledger.leads);
      const returning = present.filter(({ cutAt }) => cutAt !== null);
      const long = returning.find(({ cutAt }) => performance.now() - Number(cutAt) > MOST_CUT_MILLIS);
      const choice = random(4);
      if (!long && leader?.cutAt === null && (choice < 2 || cuts <= (round + 1) / 10)) {
        leader.hub.cut();
        leader.cutAt = performance.now();
        cuts++;
      } else if (long || (returning.length > 0 && choice === 2)) {
        const back = long ?? returning[random(returning.length)];
        if (back) {
          back.hub.mend();
          back.cutAt = null;
        }
      } else {
        if (present.length >= MOST_PAGES) await present.splice(random(present.length), 1)[0]?.close();
        await join();
      }
      // If only former leaders are left, no program elects a leader until another page joins.
      const away = present.filter(({ cutAt }) => cutAt !== null).map(({ id }) => id);
      for (let more = 0; !(await counting(counted, away)); more++) {
        assert.ok(more < MOST_PAGES, `nobody counts after round ${round}, although ${more} more pages have joined`);
        await join();
      }
    }
    assert.ok(cuts > ROUNDS / 10, `the run has only ${cuts} cuts of a leader`);
    assert.ok(ledger.terms > cuts / 2, `the run has only ${ledger.terms} terms`);
    ledger.assertLeadersOnly();
  });

  /** Waits until a leader that is not away has counted. Returns false if nobody counts. */
  const counting = async (since: number, away: readonly string[]): Promise<boolean> => {
    const enough = () => ledger.counts.slice(since).filter(({ by }) => !away.includes(by)).length >= ENOUGH;
    return until("a count", enough, (counted) => counted, 10_000).catch(() => false);
  };
});
