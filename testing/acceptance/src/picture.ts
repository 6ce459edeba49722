import { join } from "node:path";
import type { Page } from "playwright-core";
import { ROOT } from "./program.js";

/** Takes screenshots of a page in both colour schemes, and saves them in docs/. */
export async function picture(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const path = join(ROOT, `docs/${name}-${colorScheme}.png`);
    await page.screenshot({ path, fullPage: true, animations: "disabled" });
  }
}
