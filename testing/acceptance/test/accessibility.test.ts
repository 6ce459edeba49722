import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { violations } from "../src/axe.js";
import { noBrowser } from "../src/browser.js";
import { Demo } from "../src/demo.js";
import { keyboardFaults } from "../src/keyboard.js";
import { announced, movements } from "../src/motion.js";
import { until } from "../src/until.js";

/** The pages that are checked, with an element that a page shows when it is ready. */
const PAGES: Readonly<Record<string, string>> = {
  "/": "body[data-leader=true] #lanes .bar",
  "/game/": "body[data-leader=true] #members li",
  "/voting/": "body[data-leader=true] #close:enabled",
  "/ring/": "body:not([data-state=loading])",
  "/quorum/": "#start",
  "/console/": "#channels .channel",
};

describe("the pages meet WCAG AA", { skip: noBrowser }, () => {
  const demo = new Demo({ claimTtl: "10s" });

  async function ready(path: string, selector: string): Promise<Page> {
    const { page } = await demo.visit(path === "/console/" ? demo.program.console.href : path);
    await page.waitForSelector(selector);
    return page;
  }

  for (const [path, selector] of Object.entries(PAGES)) {
    test(`${path} in light and dark, at 1180 px, 200 % zoom and 320 px`, async () => {
      const page = await ready(path, selector);
      try {
        assert.deepEqual(await violations(page), []);
      } finally {
        await page.context().close();
      }
    });

    test(`${path} with the keyboard alone, and without motion`, async () => {
      const page = await ready(path, selector);
      try {
        assert.deepEqual(await movements(page, "reduce"), []);
        assert.deepEqual(await keyboardFaults(page), []);
      } finally {
        await page.context().close();
      }
    });
  }

  test("without the preference for less motion, the counter page moves", async () => {
    const page = await ready("/", PAGES["/"]!);
    assert.notDeepEqual(await movements(page, "no-preference"), []);
    await page.context().close();
  });

  for (const [path, verbs] of Object.entries({
    "/": ["leads", "You lead"],
    "/game/": ["hosts", "You host"],
    "/voting/": ["counts", null],
  })) {
    test(`${path} and the console announce each new leader`, async () => {
      const [verb, own] = verbs;
      const console = await ready("/console/", "#channels .channel");
      const first = await ready(path, "body[data-leader=true]");
      const second = await ready(path, "body[data-connected=true]");
      const name = async (page: Page): Promise<string> => (await page.textContent("#me")) ?? "";
      await announces(second, new RegExp(`^${await name(first)} ${verb} in term \\d+\\.$`, "m"));
      const channel = path === "/" ? "counter" : path.slice(1, -1);
      await announces(console, new RegExp(`${await name(first)} leads ${channel} in term \\d+\\.`));
      await first.close({ runBeforeUnload: true });
      await announces(second, new RegExp(`^${own ?? `${await name(second)} ${verb}`} in term \\d+\\.$`, "m"));
      await announces(console, new RegExp(`${await name(second)} leads ${channel} in term \\d+\\.`));
      for (const page of [first, second, console]) await page.context().close();
    });
  }

  test("/ring/ announces the leader", async () => {
    const page = await ready("/ring/", PAGES["/ring/"]!);
    await page.keyboard.press("End");
    await announces(page, /\b8 leads\b/);
    await page.context().close();
  });

  test("an admin command is sent with the keyboard alone, and a button keeps the focus when its row changes", async () => {
    const page = await ready("/", PAGES["/"]!);
    const console = await ready("/console/", "#channels .resign");
    const focused = (): Promise<string> =>
      console.evaluate(
        () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.className ?? "",
      );
    const tabTo = async (label: string): Promise<void> => {
      for (let i = 0; i < 30 && (await focused()) !== label; i++) await console.keyboard.press("Tab");
      assert.equal(await focused(), label);
    };
    await tabTo("Resign: counter");
    const other = await ready("/", "body[data-connected=true]");
    await console.waitForFunction(() => document.querySelectorAll("#channels .members .chip").length === 2);
    assert.equal(await focused(), "Resign: counter");

    await console.keyboard.press("Enter");
    assert.equal(await focused(), "cancel");
    await console.keyboard.press("Escape");
    assert.equal(await focused(), "Resign: counter", "the closed dialog returns the focus");
    await console.keyboard.press("Space");
    await tabTo("confirm");
    await console.keyboard.press("Enter");
    await announces(
      console,
      new RegExp(`^"${await page.textContent("#me")}" \\(term \\d+\\) has stepped down\\.$`, "m"),
    );
    for (const each of [page, other, console]) await each.context().close();
  });

  function announces(page: Page, pattern: RegExp): Promise<string> {
    return until(
      `the page announces ${pattern}`,
      () => announced(page),
      (text) => pattern.test(text),
    );
  }
});
