import type { Page } from "playwright-core";
import { launch, open, shown } from "./browser.js";
import { picture } from "./picture.js";
import { Program } from "./program.js";
import { RingProcess } from "./ringprocess.js";
import { until } from "./until.js";

/**
 * Takes the pictures in docs/, in both colour schemes: a follower's view a while after two leaders have gone, and the
 * console's after an order, an election on a ring in its middle, and the console of a process on a ring after a hand-over.
 */
await using program = await Program.start({ claimTtl: "2s" });
const browser = await launch();
const context = await browser.newContext({ viewport: { width: 1180, height: 760 }, deviceScaleFactor: 1 });
const pages: Page[] = [];
for (let i = 0; i < 4; i++) pages.push(await open(context, program.hub));
for (const way of ["#resign", "#freeze"]) {
  const seen = await until(
    "a leader who has counted a while",
    () => Promise.all(pages.map(shown)),
    (all) => all.filter((page) => page.leader).length === 1 && all.every((page) => page.term === all[0]?.term),
  );
  const leader = pages[seen.findIndex((page) => page.leader)];
  const { count, term } = await shown(pages[0]!);
  await until(
    "some numbers",
    () => shown(pages[0]!),
    (page) => page.count >= count + 8,
    30_000,
  );
  await leader?.click(way);
  await until(
    "the next leader",
    () => Promise.all(pages.map(shown)),
    (all) => all.some((p) => p.leader && p.term > term),
  );
}
const all = await Promise.all(pages.map(shown));
const view = pages[all.findIndex((page) => page.leader)] ?? pages[0]!;
const from = await shown(view);
await until(
  "some numbers more",
  () => shown(view),
  (page) => page.count >= from.count + 6,
  30_000,
);
await picture(view, "counter");

const console = await open(context, new URL("/console/", program.hub));
await console.click("#channels .orders .resign");
await console.click("#order .confirm");
await console.waitForSelector("#outcome:not([hidden])");
await looked(console, 6);
await picture(console, "console");

const ring = await open(context, new URL("/ring/#n=10&order=random&seed=3", program.hub));
await until(
  "a ring",
  () => ring.evaluate(() => document.body.dataset["state"]),
  (state) => state !== "loading",
);
// In the middle of the second hop.
await ring.locator("#time").evaluate((time: HTMLInputElement) => {
  time.value = "14.5";
  time.dispatchEvent(new Event("input", { bubbles: true }));
});
await picture(ring, "ring");

const ids = ["orders-0", "orders-1", "orders-2"];
const processes = await RingProcess.all(ids);
const led = (): Promise<string[]> => Promise.all(processes.map((process) => process.leader()));
const agreed = await until("a leader", led, (all) => all[0] !== "" && all.every((id) => id === all[0]), 60_000);
const heir = processes.find((process) => process.id !== agreed[0])!;
const handing = await open(context, processes.find((process) => process.id === agreed[0])!.console);
await handing.waitForSelector("#process-head .transfer");
await looked(handing, 20);
await handing.click("#process-head .transfer");
await handing.fill("#order input[name=to]", heir.id);
await handing.click("#order .confirm");
const heirs = await open(context, heir.console);
await heirs.waitForSelector("#process-head .resign");
await looked(heirs, 30);
await picture(heirs, "ring-console");
await Promise.all(processes.map((process) => process.end("SIGTERM")));
await browser.close();

/** Waits until a console was told so often what there is to see, once a second. */
async function looked(page: Page, times: number): Promise<void> {
  const looks = (): Promise<number> => page.evaluate(() => Number(document.body.dataset["looks"]));
  const seen = await looks();
  await until("some looks", looks, (now) => now >= seen + times, 2_000 * times);
}
