import type { Page } from "playwright-core";
import { launch, open } from "./browser.js";
import { picture } from "./picture.js";
import { Program } from "./program.js";
import { until } from "./until.js";

/**
 * Takes the screenshots of examples/game and examples/voting. Each screenshot shows a page some time after the first
 * leader has left.
 */
await using program = await Program.start({ claimTtl: "2s" });
const browser = await launch();
const context = await browser.newContext({ viewport: { width: 1180, height: 760 }, deviceScaleFactor: 1 });
const dataOf = (page: Page): Promise<DOMStringMap> => page.evaluate(() => ({ ...document.body.dataset }));

/** Opens `n` pages, runs `happens`, closes the page that leads, and returns the other pages. */
async function withoutTheFirst(path: string, n: number, happens: (pages: Page[]) => Promise<unknown>): Promise<Page[]> {
  const url = new URL(path, program.hub);
  const pages: Page[] = [];
  for (let i = 0; i < n; i++) {
    pages.push(await open(context, url));
    await pages[i]!.waitForFunction(() => document.body.dataset["term"] !== "");
  }
  await happens(pages);
  const seen = await Promise.all(pages.map(dataOf));
  const first = pages.splice(
    seen.findIndex(({ leader }) => leader === "true"),
    1,
  )[0];
  await first?.close({ runBeforeUnload: true });
  return pages;
}

const scored = (page: Page, points: number): Promise<unknown> =>
  until(
    `${points} points`,
    () => dataOf(page),
    (data) => Number(data["points"]) >= points,
    90_000,
  );
const players = await withoutTheFirst("/game/?auto", 4, (pages) => scored(pages[0]!, 2));
await scored(players[0]!, 4);
await until(
  "a step in the first third of a second",
  () => dataOf(players[0]!),
  (data) => Number(data["tick"]) % 60 < 20,
);
await picture(players[0]!, "game");
for (const page of players) await page.close();

const CHOICES = [0, 1, 1, 2, 0, 1];
const voters = await withoutTheFirst("/voting/", CHOICES.length, async (pages) => {
  for (const [i, page] of pages.entries()) {
    await page.click(`#choices li:nth-child(${CHOICES[i]! + 1}) button`);
    await counted(page, i + 1);
  }
});
await until(
  "the next teller",
  () => dataOf(voters[0]!),
  (data) => data["term"] === "2" && data["leader"] === "true",
);
await counted(voters[0]!, CHOICES.length);
await picture(voters[0]!, "voting");
await browser.close();

async function counted(page: Page, votes: number): Promise<void> {
  await until(
    `${votes} votes`,
    () => dataOf(page),
    (data) => Number(data["votes"]) === votes && data["mine"] === "counted",
  );
}
