import { existsSync } from "node:fs";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";

const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** Why the tests in a browser cannot run here; false if they can. For node:test's `skip`. */
export const noBrowser: string | false = existsSync(CHROMIUM)
  ? false
  : `no browser at ${CHROMIUM}; install chromium, or name another in the variable CHROMIUM`;

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** What the page shows, read from the attributes it keeps for that. */
export interface Shown {
  readonly id: string;
  readonly leader: boolean;
  readonly term: number;
  readonly count: number;
  readonly mode: string;
}

export async function shown(page: Page): Promise<Shown> {
  return page.evaluate(() => {
    const { dataset } = document.body;
    return {
      id: dataset["clientId"] ?? "",
      leader: dataset["leader"] === "true",
      term: Number(dataset["term"] || 0),
      count: Number(dataset["count"] || 0),
      mode: dataset["mode"] ?? "",
    };
  });
}

/** Opens the counter page; errors of the page are errors of the test, and are returned when asked for. */
export async function open(context: BrowserContext, url: URL): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url.href);
  return page;
}
