// The browser of the tests.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** The reason why the tests in a browser cannot run here; false if they can. */
export const noBrowser = existsSync(CHROMIUM) ? false : `SKIPPED: no browser at ${CHROMIUM}; install chromium`;

/** Starts the browser. The test closes it at its end. */
export async function launch(test) {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
  test.after(() => browser.close());
  return browser;
}
