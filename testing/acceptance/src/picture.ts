import { join } from "node:path";
import type { Page } from "playwright-core";
import { ROOT } from "./program.js";

/** Takes a screenshot of a page from its top to the end of an element, and saves it in docs/. */
export async function topPicture(page: Page, name: string, lastElement: string): Promise<void> {
  const box = await page.locator(lastElement).boundingBox();
  if (box === null) throw new Error(`the page shows no ${lastElement}`);
  const clip = { x: 0, y: 0, width: page.viewportSize()?.width ?? 0, height: Math.ceil(box.y + box.height) + 12 };
  const path = join(ROOT, `docs/${name}.png`);
  await page.screenshot({ path, clip, fullPage: true, animations: "disabled" });
}

/** Takes screenshots of a page in both colour schemes, and saves them in docs/. */
export async function picture(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const path = join(ROOT, `docs/${name}-${colorScheme}.png`);
    await page.screenshot({ path, fullPage: true, animations: "disabled" });
  }
}
