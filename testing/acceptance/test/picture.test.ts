import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { noBrowser } from "../src/browser.js";
import { Demo, type Visit } from "../src/demo.js";
import { until } from "../src/until.js";

/** The state of the page, from its data attributes. */
interface Shown {
  readonly state: string;
  readonly leader: string;
  readonly contest: number;
  readonly total: number;
}

describe("the ring visualizer in Chromium", { skip: noBrowser }, () => {
  const demo = new Demo();

  test("plays the worst order of eight members, which takes as many messages as the theory states", async () => {
    const { page, faults } = await openVisualizer();
    const [members, order] = await Promise.all(["#n", "#order"].map((field) => page.locator(field).boundingBox()));
    assert.deepEqual([order?.y, order?.height], [members?.y, members?.height], "the fields stand in one line");
    await page.fill("#n", "8");
    await page.selectOption("#order", "worst");
    await page.selectOption("#speed", "8");
    await ended(page);

    assert.deepEqual(await shown(page), { state: "ended", leader: "8", contest: 36, total: 44 });
    const text = (selector: string) => page.locator(selector).first().textContent();
    assert.equal(await text("#ring .count"), "36");
    assert.equal(await text("#ring .who"), "8 leads");
    assert.equal(await text("#counts [data-kind=elect] dd"), "36");
    assert.equal(await text("#counts [data-kind=elected] dd"), "8");
    assert.equal(await text("#counts [data-kind=total] dd"), "44");
    assert.equal(await text("#story"), "The elected message has returned. All members of this ring know that 8 leads.");
    const labels = await page.locator("#chart .label").allTextContents();
    assert.ok(labels.includes("mean n·H(n) = 21.7") && labels.includes("most n(n+1)/2 = 36"), labels.join("; "));
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  test("shows another leader after the leader is killed, and the former leader as crashed", async () => {
    const { page, faults } = await openVisualizer();
    await page.selectOption("#speed", "8");
    await page.selectOption("#fault", "killed");
    // The page checks this condition at every drawn frame. Slower polling by the test could miss the first leader.
    await page.waitForFunction(() => document.body.dataset["leader"] === "8");
    await ended(page);
    assert.equal((await shown(page)).leader, "7");
    assert.equal(await page.locator("#ring circle.crashed").count(), 1);
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  test("moves forwards and backwards by keys", async () => {
    const { page, faults } = await openVisualizer("#n=4&order=worst");
    await page.keyboard.press("Home");
    await until(
      "the beginning",
      () => shown(page),
      ({ contest, state }) => contest === 4 && state === "paused",
    );
    for (const contest of [7, 9, 10]) {
      await page.keyboard.press("ArrowRight");
      await until(
        "a step",
        () => shown(page),
        (seen) => seen.contest === contest && seen.state === "paused",
      );
    }
    await page.keyboard.press("ArrowLeft");
    assert.equal((await shown(page)).contest, 9);
    await page.keyboard.press("End");
    assert.deepEqual(await shown(page), { state: "ended", leader: "4", contest: 10, total: 14 });
    await page.keyboard.press(" ");
    assert.equal((await shown(page)).state, "playing");
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  test("reports an invalid setting and keeps the current recording", async () => {
    const { page, faults } = await openVisualizer();
    await page.fill("#n", "65");
    await page.dispatchEvent("#n", "change");
    await page.waitForSelector("#refusal:not([hidden])");
    assert.equal(await page.locator("#refusal").textContent(), "n is 65; its bounds are 2 and 64.");
    assert.equal(await page.locator("#ring circle.member").count(), 8);
    // The browser logs each response with an error status, so the test allows the error of the rejected request.
    assert.ok(
      faults.every((fault) => fault.includes("400")),
      faults.join("; "),
    );
    await page.context().close();
  });

  test("fits a phone, and does not move with reduced motion", async () => {
    const phone = { viewport: { width: 360, height: 740 }, reducedMotion: "reduce" } as const;
    const { page } = await demo.visit("/ring/#n=64", phone);
    await until(
      "the loaded recording",
      () => shown(page),
      ({ state }) => state === "paused",
    );
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    assert.equal((await shown(page)).contest, 64);
    await page.click("#step");
    assert.equal((await shown(page)).state, "paused", "a step has no animation");
    assert.ok((await shown(page)).contest > 64);
    await page.context().close();
  });

  async function openVisualizer(hash = ""): Promise<Visit> {
    const visit = await demo.visit(`/ring/${hash}`);
    const { page } = visit;
    await until(
      "the loaded recording",
      () => shown(page),
      ({ state }) => state !== "loading",
    );
    return visit;
  }

  async function ended(page: Page): Promise<void> {
    await until(
      "the end",
      () => shown(page),
      ({ state }) => state === "ended",
    );
  }

  async function shown(page: Page): Promise<Shown> {
    return page.evaluate(() => {
      const { state, leader, contest, total } = document.body.dataset;
      return { state: state ?? "", leader: leader ?? "", contest: Number(contest), total: Number(total) };
    });
  }
});
