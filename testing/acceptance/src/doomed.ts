import type { Browser, Page } from "playwright-core";
import { open } from "./browser.js";

/** The way in which a page ends: the user closes the page, or the test kills its process. */
export type End = "closed" | "killed";

/** Opens and ends pages of one address. Each page has its own process, so a test can kill one page. */
export class Doomed {
  private readonly browser: Browser;
  private readonly url: URL;
  private readonly pages = new Map<string, Page>();
  /** The errors that pages threw. */
  readonly faults: string[] = [];

  constructor(browser: Browser, url: URL) {
    this.browser = browser;
    this.url = url;
  }

  /** Opens a page and waits until it is connected. */
  async open(): Promise<Page> {
    // Each page has its own context, because pages of one context can share a process.
    const context = await this.browser.newContext({ viewport: { width: 400, height: 500 } });
    context.on("weberror", (error) => this.faults.push(error.error().message));
    // The limited frame rate saves CPU time. Software rendering at 60 frames per second would use most of the CPU.
    await context.addInitScript(() => {
      const later = globalThis.setTimeout; // A page can replace this timer, but also draws while it is frozen.
      globalThis.requestAnimationFrame = (draw) => later(() => draw(performance.now()), 100) as unknown as number;
    });
    const page = await open(context, this.url);
    await page.waitForFunction(() => document.body.dataset["connected"] === "true");
    this.pages.set(await page.evaluate(() => document.body.dataset["clientId"] ?? ""), page);
    return page;
  }

  /** Returns the page whose client has this id. */
  page(id: string): Page {
    const page = this.pages.get(id);
    if (page === undefined) throw new Error(`no page of ${id} is open, only of ${[...this.pages.keys()].join(", ")}`);
    return page;
  }

  get all(): Page[] {
    return [...this.pages.values()];
  }

  async end(id: string, how: End): Promise<void> {
    const page = this.page(id);
    this.pages.delete(id);
    if (how === "closed") return page.close({ runBeforeUnload: true });
    const crashed = page.waitForEvent("crash");
    const session = await page.context().newCDPSession(page);
    // The page crashes before it can answer the command, so a rejection is ignored.
    session.send("Page.crash").catch(() => {});
    await crashed;
    await page.context().close();
  }
}
