import { existsSync } from "node:fs";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { HANG_MILLIS } from "./until.js";

export const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/**
 * The reason why the browser tests cannot run on this machine; false if they can. Tests pass the value as the option
 * `skip` of node:test.
 */
export const noBrowser: string | false = existsSync(CHROMIUM)
  ? false
  : `no browser at ${CHROMIUM}; install chromium, or set the variable CHROMIUM to another browser`;

/**
 * Chromium flags for all tests. Without these flags Chromium does not start in a container, or sends unrelated
 * requests.
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

/** Returns the data attributes of the page. This function runs in the page. */
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

/** The source code of `readShown`, for browsers that Playwright does not control. */
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
