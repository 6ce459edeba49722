import type { BrowserContext, Page } from "playwright-core";
import { launch, open, shown } from "./browser.js";
import { picture, topPicture } from "./picture.js";
import { Program } from "./program.js";
import { MemberProcess } from "./memberprocess.js";
import { until, within } from "./until.js";

/**
 * Takes the screenshots in docs/, in both colour schemes.
 *
 * - `counter`: the leader's page after one leader has resigned and the next one was frozen, and the console after an
 *   admin command
 * - `ring`: an election on a ring in the middle of its messages
 * - `ring-console`: the console of a process on a ring after a handover
 * - `quorum`: a quorum of processes after its leader was killed
 * - `walk`: the steps of the guide on the counter page, for docs/guide/demo.md
 *
 * Command line arguments select screenshots by these names. Every wait has a limit, and the script ends all started
 * processes even if a limit is exceeded.
 */
const PARTS: Readonly<Record<string, (context: BrowserContext) => Promise<void>>> = {
  counter: (context) => onHub((hub) => counterAndConsole(context, hub)),
  ring: (context) => onHub((hub) => ringElection(context, hub)),
  "ring-console": ringConsole,
  quorum: (context) => onHub((hub) => quorumOfProcesses(context, hub)),
  walk: (context) => onHub((hub) => walk(context, hub)),
};

const IDS = ["orders-0", "orders-1", "orders-2"] as const;

/** The time limit for one entry of PARTS. The waits of the slowest entry take one and a half minutes. */
const TAKEN_WITHIN_MILLIS = 4 * 60_000;

const requested = process.argv.slice(2);
const unknown = requested.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length > 0) throw new Error(`no screenshot has the name ${unknown}; the names are ${Object.keys(PARTS)}`);
const browser = await launch();
try {
  const context = await browser.newContext({ viewport: { width: 1180, height: 760 }, deviceScaleFactor: 1 });
  for (const [name, take] of Object.entries(PARTS)) {
    if (requested.length > 0 && !requested.includes(name)) continue;
    if ((await within(TAKEN_WITHIN_MILLIS, take(context))) === null) {
      throw new Error(`${name}: the screenshot took longer than ${TAKEN_WITHIN_MILLIS} ms`);
    }
    for (const page of context.pages()) await page.close();
  }
} finally {
  await browser.close();
}

async function onHub(take: (program: Program) => Promise<void>): Promise<void> {
  await using program = await Program.start({ claimTtl: "5s" });
  await take(program);
}

async function counterAndConsole(context: BrowserContext, program: Program): Promise<void> {
  const pages: Page[] = [];
  for (let i = 0; i < 4; i++) pages.push(await open(context, program.hub));
  const all = () => Promise.all(pages.map(shown));
  for (const way of ["#resign", "#freeze"]) {
    const seen = await until(
      "all pages report one leader",
      all,
      (each) => each.filter((page) => page.leader).length === 1 && each.every((page) => page.term === each[0]?.term),
    );
    const leader = pages[seen.findIndex((page) => page.leader)];
    const { term } = await shown(pages[0]!);
    await counted(pages[0]!, 8);
    await leader?.click(way);
    await until("the next leader", all, (each) => each.some((p) => p.leader && p.term > term));
  }
  const view = pages[(await all()).findIndex((page) => page.leader)] ?? pages[0]!;
  await counted(view, 6);
  await picture(view, "counter");

  const console = await open(context, program.console);
  await console.click("#channels .commands .resign");
  await console.click("#command .confirm");
  await console.waitForSelector("#outcome:not([hidden])");
  await snapshotsReceived(console, 6);
  await picture(console, "console");
}

/** Follows the guide as a visitor does: with one tab, then with three tabs, and with the three buttons. */
async function walk(context: BrowserContext, program: Program): Promise<void> {
  const first = await open(context, program.hub);
  await first.setViewportSize({ width: 900, height: 900 });
  await first.waitForSelector("body[data-leader=true]");
  await counted(first, 3);
  await topPicture(first, "demo-one-tab", ".guide");
  // The tabs are elected in the order in which they were opened. The visitor's tab is the last, because it must not be
  // the tab that is frozen.
  await present(await open(context, program.hub));
  const visitor = await open(context, program.hub);
  await visitor.setViewportSize({ width: 900, height: 900 });
  await present(visitor);
  for (const [action, text] of Object.entries({
    close: /leads now/,
    freeze: /is still frozen/,
    write: /the hub rejected it/,
  })) {
    await visitor.waitForSelector(`#guide-${action}:enabled`);
    await counted(visitor, 2);
    if (action === "close") await topPicture(visitor, "demo-three-tabs", ".guide");
    await visitor.click(`#guide-${action}`);
    await until(
      `the guide shows ${text}`,
      () => visitor.textContent("#guide-text"),
      (shownText) => text.test(shownText ?? ""),
    );
    await counted(visitor, 3);
    await topPicture(visitor, `demo-${action}`, action === "freeze" ? ".history" : ".guide");
  }
}

async function ringElection(context: BrowserContext, program: Program): Promise<void> {
  const ring = await open(context, new URL("/ring/#n=10&order=random&seed=3", program.hub));
  await until(
    "a ring",
    () => ring.evaluate(() => document.body.dataset["state"]),
    (state) => state !== "loading",
  );
  // Moves the recording to the middle of the second hop.
  await ring.locator("#time").evaluate((time: HTMLInputElement) => {
    time.value = "14.5";
    time.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await picture(ring, "ring");
}

async function ringConsole(context: BrowserContext): Promise<void> {
  const processes = await MemberProcess.ring(IDS);
  try {
    const leader = await MemberProcess.agreed(processes);
    const successor = processes.find((process) => process !== leader)!;
    const handing = await open(context, leader.console);
    await handing.waitForSelector("#process-head .transfer");
    await snapshotsReceived(handing, 20);
    await handing.click("#process-head .transfer");
    await handing.fill("#command input[name=to]", successor.id);
    await handing.click("#command .confirm");
    const successors = await open(context, successor.console);
    await successors.waitForSelector("#process-head .resign");
    await snapshotsReceived(successors, 30);
    await picture(successors, "ring-console");
  } finally {
    await Promise.all(processes.map((process) => process.end("SIGTERM")));
  }
}

async function quorumOfProcesses(context: BrowserContext, program: Program): Promise<void> {
  const page = await open(context, program.quorum);
  const counted = (beyond: number, away: string): Promise<DOMStringMap> =>
    until(
      "a leader that counts",
      () => page.evaluate(() => ({ ...document.body.dataset })),
      ({ leader, count }) => leader !== "" && leader !== away && Number(count) >= beyond,
    );
  await page.click("#start");
  const first = await counted(40, "");
  await page.click(`[data-member="${first["leader"]}"] [data-action="kill"]`);
  await counted(Number(first["count"]) + 12, first["leader"]!);
  await picture(page, "quorum");
}

/** Waits until a page lists itself as present. */
async function present(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector("#members")?.textContent?.includes("you"));
}

/** Waits until a page has received this many more numbers. */
async function counted(page: Page, numbers: number): Promise<void> {
  const { count } = await shown(page);
  await until(
    "more numbers",
    () => shown(page),
    (now) => now.count >= count + numbers,
    30_000,
  );
}

/** Waits until a console has received this many more snapshots. A console receives one snapshot a second. */
async function snapshotsReceived(page: Page, times: number): Promise<void> {
  const count = (): Promise<number> => page.evaluate(() => Number(document.body.dataset["snapshots"]));
  const seen = await count();
  await until("more snapshots", count, (now) => now >= seen + times, 2_000 * times);
}
