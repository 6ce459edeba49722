import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { Page, PageScreenshotOptions } from "playwright-core";
import { ROOT } from "./program.js";

/** Takes a screenshot of a page from its top to the end of an element, and saves it in docs/. */
export async function topPicture(page: Page, name: string, lastElement: string): Promise<void> {
  const box = await page.locator(lastElement).boundingBox();
  if (box === null) throw new Error(`the page shows no ${lastElement}`);
  const clip = { x: 0, y: 0, width: page.viewportSize()?.width ?? 0, height: Math.ceil(box.y + box.height) + 12 };
  await save(page, name, { clip });
}

/** Takes screenshots of a page in both colour schemes, and saves them in docs/. */
export async function picture(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await save(page, `${name}-${colorScheme}`);
  }
}

/** Saves a screenshot with at most 256 colours, which is about a third of its original size. */
async function save(page: Page, name: string, options: PageScreenshotOptions = {}): Promise<void> {
  const path = join(ROOT, `docs/${name}.png`);
  await page.screenshot({ path, fullPage: true, animations: "disabled", ...options });
  const { error, status } = spawnSync("pngquant", ["--force", "--output", path, path], { stdio: "inherit" });
  if (error !== undefined) throw new Error(`${error.message}; install pngquant (Debian: apt-get install pngquant)`);
  if (status !== 0) throw new Error(`pngquant could not reduce ${path}; it ended with ${status}`);
}
