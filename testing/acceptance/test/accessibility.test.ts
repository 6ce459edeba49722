import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { violations } from "../src/axe.js";
import { noBrowser } from "../src/browser.js";
import { Demo } from "../src/demo.js";

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

  for (const [path, ready] of Object.entries(PAGES)) {
    test(`${path} in light and dark, at 1180 px, 200 % zoom and 320 px`, async () => {
      const { page } = await demo.visit(path === "/console/" ? demo.program.console.href : path);
      try {
        await page.waitForSelector(ready);
        assert.deepEqual(await violations(page), []);
      } finally {
        await page.context().close();
      }
    });
  }
});
