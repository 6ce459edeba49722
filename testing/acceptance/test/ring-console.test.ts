import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { launch, noBrowser, open } from "../src/browser.js";
import { MemberProcess } from "../src/memberprocess.js";
import { until } from "../src/until.js";

const IDS = ["orders-0", "orders-1", "orders-2"] as const;

describe("the console of a ring in Chromium", { skip: noBrowser }, () => {
  let browser: Browser;
  let processes: MemberProcess[] = [];
  before(async () => {
    browser = await launch();
    processes = await MemberProcess.ring(IDS, ["--election-timeout=10s"]);
  });
  after(async () => {
    await browser.close();
    await Promise.all(processes.map((process) => process.end("SIGKILL")));
  });

  const text = (page: Page, selector: string): Promise<string> =>
    page.evaluate((found) => document.querySelector(found)?.textContent ?? "", selector);
  const led = (page: Page): Promise<string> => text(page, "#process-head .chip.leads");
  const named = (id: string): MemberProcess => processes.find((process) => process.id === id)!;

  test("shows the leader, hands over, and reports the reason for no leader", async () => {
    const leader = await MemberProcess.agreed(processes);
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const errors: string[] = [];
    context.on("weberror", (error) => errors.push(error.error().message));
    const page = await open(context, leader.console);

    const first = await until("the leader's chip", () => led(page), Boolean);
    await until(
      "all members",
      () => page.evaluate(() => document.querySelectorAll("#process-members .member").length),
      (members) => members === 3,
    );
    assert.equal(await text(page, "#state"), "Live");
    assert.equal(await text(page, "#process-name"), `console of ${leader.id}`);
    assert.match(await text(page, "#process-around"), /^\d+\.\d ms$/);
    assert.equal(await page.isVisible("#channels-title"), false, "the page shows no parts of a hub");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 390, `the page is ${wide} pixels wide`);

    const successor = IDS.find((id) => id !== first)!;
    await page.click("#process-head .transfer");
    await page.fill("#command input[name=to]", successor);
    await page.click("#command .confirm");
    assert.match(
      await until("the outcome of the command", () => text(page, "#outcome:not([hidden])"), Boolean),
      new RegExp(`^"${successor}" leads now, in term \\d+\\.$`),
    );
    await until(
      "the successor leads",
      () => led(page),
      (name) => name === successor,
    );
    assert.equal(await text(page, "#process-head .commands"), "", "only the leader accepts commands");
    assert.equal(await page.isVisible("#back"), false, "the page has no link to a demo");
    await until(
      "both leaderships in the timeline",
      () => page.evaluate(() => document.querySelectorAll("#lanes .bar").length),
      (bars) => bars >= 2,
    );

    for (const id of IDS.filter((each) => each !== first)) await named(id).end("SIGKILL");
    await until(
      "the first leader leads a ring of one",
      () => led(page),
      (name) => name === first,
    );
    await named(first).resign();
    await until(
      "the reason why nobody leads",
      () => text(page, "#process-why.nobody-leads"),
      (why) => why.startsWith("Resigned recently"),
    );
    assert.equal(await text(page, "#process-head .nobody"), "nobody leads");
    assert.deepEqual(errors, [], "no page throws");
    await context.close();
  });
});
