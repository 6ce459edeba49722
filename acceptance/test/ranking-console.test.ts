import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { launch, noBrowser, open } from "../src/browser.js";
import { MemberProcess } from "../src/memberprocess.js";
import { until } from "../src/until.js";

const IDS = ["orders-0", "orders-1"] as const;

describe("the console of a ranking in Chromium", { skip: noBrowser }, () => {
  let browser: Browser;
  let processes: MemberProcess[] = [];
  before(async () => {
    browser = await launch();
    processes = await MemberProcess.ranking(IDS, ["--order=lowest_id", "--priority=7"]);
  });
  after(async () => {
    await browser.close();
    await Promise.all(processes.map((process) => process.end("SIGKILL")));
  });

  const texts = (page: Page, selector: string): Promise<string[]> =>
    page.evaluate((found) => [...document.querySelectorAll(found)].map((each) => each.textContent ?? ""), selector);

  test("shows who leads and who is next, and takes no order but to resign", async () => {
    const leader = await MemberProcess.agreed(processes);
    const heir = IDS.find((id) => id !== leader.id)!;
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const errors: string[] = [];
    context.on("weberror", (error) => errors.push(error.error().message));
    const page = await open(context, leader.console);

    assert.deepEqual(
      await until(
        "the members in their order",
        () => texts(page, "#process-members .chip"),
        (ids) => ids.length === 2,
      ),
      [...IDS],
    );
    assert.deepEqual(await texts(page, "#process-members-title"), ["The members, the next to lead first"]);
    assert.equal(
      await page.evaluate(
        () => getComputedStyle(document.querySelector("#process-members .member:last-child")!, "::after").content,
      ),
      "none",
      "the last of an order has none after it",
    );
    assert.deepEqual(await texts(page, "#process-head .orders button"), ["Resign"]);
    assert.equal(await page.isVisible("#process-voters"), false, "a ranking has no voters");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 390, `a phone shows ${wide} pixels`);

    await page.click("#process-head .resign");
    await page.click("#order .confirm");
    await until(
      "the other",
      () => texts(page, "#process-head .chip.leads"),
      (ids) => ids[0] === heir,
    );
    assert.deepEqual(errors, [], "no page may throw");
    await context.close();
  });
});
