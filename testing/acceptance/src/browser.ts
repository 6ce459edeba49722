import { existsSync } from "node:fs";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { HANG_MILLIS } from "./until.js";

export const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** Why the browser tests cannot run here; false if they can. A value for node:test's `skip`. */
export const noBrowser: string | false = existsSync(CHROMIUM)
  ? false
  : `no browser at ${CHROMIUM}; install chromium, or name another in the variable CHROMIUM`;

/**
 * Flags for all tests. Without them a browser does not start in a container, or sends requests that no test is about.
 */
export const FLAGS: readonly string[] = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export function launch(flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...flags], timeout: HANG_MILLIS });
}

/** The state of the page, from its data attributes. */
export interface Shown {
  readonly id: string;
  readonly leader: boolean;
  readonly term: number;
  readonly count: number;
  readonly mode: string;
}

/** Reads the attributes. Runs in the page. */
function readShown(): Shown {
  const { dataset } = document.body;
  return {
    id: dataset["clientId"] ?? "",
    leader: dataset["leader"] === "true",
    term: Number(dataset["term"] || 0),
    count: Number(dataset["count"] || 0),
    mode: dataset["mode"] ?? "",
  };
}

/** The source of `readShown`, for browsers that Playwright does not control. */
export const SHOWN = readShown.toString();

export async function shown(page: Page): Promise<Shown> {
  return page.evaluate(readShown);
}

/** Opens the page at this address. */
export async function open(context: BrowserContext, url: URL): Promise<Page> {
  context.setDefaultTimeout(HANG_MILLIS);
  const page = await context.newPage();
  await page.goto(url.href);
  return page;
}
