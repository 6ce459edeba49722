import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { noBrowser, open, shown } from "../src/browser.js";
import { Demo } from "../src/demo.js";
import { until } from "../src/until.js";

describe("the console in Chromium", { skip: noBrowser }, () => {
  const demo = new Demo({ claimTtl: "10s" });

  test("shows the leader, its successor, and both leaderships", async () => {
    const context = await demo.browser.newContext();
    const errors: string[] = [];
    context.on("weberror", (error) => errors.push(error.error().message));
    const pages = [await open(context, demo.program.hub), await open(context, demo.program.hub)];
    const console = await open(context, demo.program.console);
    await console.waitForSelector("#back:not([hidden])");
    const text = (selector: string): Promise<string> =>
      console.evaluate((found) => document.querySelector(found)?.textContent ?? "", selector);
    const leader = await until(
      "a leader",
      () => Promise.all(pages.map(shown)),
      (seen) => seen.filter((page) => page.leader).length === 1,
    );
    const first = leader.findIndex((page) => page.leader);
    const name = await pages[first]!.evaluate(() => document.querySelector("#me")?.textContent ?? "");
    await until(
      "the leader's chip",
      () => text("#channels .channel .head .chip.leads"),
      (shownName) => shownName === name,
    );
    const hue = (page: Page, selector: string): Promise<string> =>
      page.evaluate((found) => getComputedStyle(document.querySelector(found)!).getPropertyValue("--hue"), selector);
    assert.equal(await hue(console, "#channels .head .chip.leads"), await hue(pages[first]!, "#me"), "the same colour");
    assert.equal(await text("#state"), "Live");
    assert.equal(await text("#figure-leaders"), "1");
    await until(
      "a message rate above zero",
      () => text("#figure-received"),
      (rate) => Number.parseFloat(rate) > 0,
    );

    await pages[first]!.click("#resign");

    await until(
      "two bars",
      () => console.evaluate(() => document.querySelectorAll("#lanes .bar").length),
      (bars) => bars >= 2,
    );
    await until(
      "another leader's chip",
      () => text("#channels .channel .head .chip.leads"),
      (shownName) => shownName !== "" && shownName !== name,
    );
    await pages[first]!.click("#freeze");
    await pages[first]!.click("#old-term");
    const sentence = new RegExp(`${name}counterIts write carried term \\d+.* so the hub rejected it\\. Error 40911`);
    await until(
      "the rejection as a sentence",
      () => text("#refusals"),
      (rejections) => sentence.test(rejections),
    );
    await console.click("#channels .commands .transfer");
    for (const page of [console, ...pages]) {
      const shownTexts = await page.evaluate(() =>
        [document.body.innerText, ...[...document.querySelectorAll("input")].map(({ value }) => value)].join("\n"),
      );
      assert.doesNotMatch(shownTexts, /[0-9a-f]{16}/, "no page shows the random part of an id");
    }
    assert.deepEqual(errors, [], "no page throws");
    await context.close();
  });
});
