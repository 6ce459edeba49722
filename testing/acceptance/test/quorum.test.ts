import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { noBrowser } from "../src/browser.js";
import { announced } from "../src/motion.js";
import { Demo } from "../src/demo.js";
import { keyboardFaults } from "../src/keyboard.js";
import { until } from "../src/until.js";

/** The state of the page, from its data attributes. */
interface Shown {
  readonly started: string;
  /** The number of the member that leads and counts; empty if no member leads. */
  readonly leader: string;
  readonly term: number;
  readonly count: number;
  readonly majority: string;
}

/**
 * The time limit of the waits. A busy machine can take this long to start three processes and to elect several times.
 */
const WITHIN_MILLIS = 180_000;

describe("the quorum of processes in Chromium", { skip: noBrowser }, () => {
  const demo = new Demo();

  test("another member continues the count when the leader is killed, frozen or disconnected; a fourth member joins and leaves", async () => {
    const { page, faults } = await demo.visit(demo.program.quorum.href, { viewport: { width: 390, height: 844 } });
    await page.click("#start");
    let seen = await counts(page, { count: 2, term: 0 });
    assert.equal(await text(page, "#state"), `Member ${seen.leader} counts`);
    assert.match(await announced(page), new RegExp(`^Member ${seen.leader} counts$`, "m"));
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390, "the page fits a phone");

    const killed = seen.leader;
    await press(page, killed, "kill");
    await shows(page, "#outcome:not([hidden])", new RegExp(`^Member ${killed} was killed: SIGKILL to process \\d+\\.`));
    seen = await counts(page, seen, killed);
    assert.equal(await text(page, `${card(killed)} .condition`), "killed");
    await press(page, killed, "restart");
    await condition(page, killed, "runs");

    const frozen = (seen = await counts(page, seen)).leader;
    await press(page, frozen, "freeze");
    await condition(page, frozen, "frozen");
    seen = await counts(page, seen, frozen);
    await press(page, frozen, "thaw");
    await condition(page, frozen, "runs");

    const cut = (seen = await counts(page, seen)).leader;
    await press(page, cut, "cut");
    await condition(page, cut, "cut off");
    seen = await counts(page, seen, cut);
    await press(page, cut, "reconnect");
    await condition(page, cut, "runs");

    await until(
      "all three members reach each other",
      () => page.evaluate(() => document.querySelectorAll("#diagram .link.broken").length),
      (broken) => broken === 0,
      WITHIN_MILLIS,
    );
    await page.click("#add:not(:disabled)");
    await shows(page, `${card("4")} dl`, /Votes\s*yes/);
    await shows(page, "#why", /of 4 voters take part, and 3 are a majority/);
    await press(page, "4", "remove");
    await until(
      "three members",
      () => page.locator("#cards .member").count(),
      (members) => members === 3,
      WITHIN_MILLIS,
    );
    await counts(page, { count: (await shown(page)).count, term: 0 });

    const happened = (await page.locator("#events li").allTextContents()).join("\n");
    assert.match(happened, /Member 4 was removed from the quorum, and its process was ended\./);
    const names = await page.locator("#cards button").evaluateAll((buttons) => buttons.map((b) => b.ariaLabel));
    assert.equal(new Set(names).size, 12, `each button has a different name: ${names.join("; ")}`);
    assert.deepEqual(await keyboardFaults(page), []);
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  /**
   * Waits until a member other than `away` leads and has counted beyond `before`, and returns the new state. If `away`
   * is given, the term must also have risen.
   */
  async function counts(page: Page, before: { count: number; term: number }, away?: string): Promise<Shown> {
    return until(
      `a leader other than ${away ?? "nobody"} that counts beyond ${before.count}`,
      () => shown(page),
      ({ leader, term, count }) =>
        leader !== "" && leader !== away && count > before.count && (away === undefined || term > before.term),
      WITHIN_MILLIS,
    );
  }

  const card = (member: string): string => `#cards [data-member="${member}"]`;

  async function press(page: Page, member: string, action: string): Promise<void> {
    await page.click(`${card(member)} button[data-action="${action}"]:not(:disabled)`, { timeout: WITHIN_MILLIS });
  }

  async function condition(page: Page, member: string, expected: string): Promise<void> {
    await until(
      `member ${member} is shown as ${expected}`,
      () => text(page, `${card(member)} .condition`),
      (shows) => shows === expected,
      WITHIN_MILLIS,
    );
  }

  async function shows(page: Page, selector: string, pattern: RegExp): Promise<void> {
    await until(
      `${selector} shows ${pattern}`,
      () => text(page, selector),
      (found) => pattern.test(found),
      WITHIN_MILLIS,
    );
  }

  const text = (page: Page, selector: string): Promise<string> =>
    page.evaluate((found) => (document.querySelector(found) as HTMLElement | null)?.innerText ?? "", selector);

  async function shown(page: Page): Promise<Shown> {
    return page.evaluate(() => {
      const { started, leader, term, count, majority } = document.body.dataset;
      return {
        started: started ?? "",
        leader: leader ?? "",
        term: Number(term),
        count: Number(count),
        majority: majority ?? "",
      };
    });
  }
});
