import axe from "axe-core";
import type { Page } from "playwright-core";

/** The width and the colour scheme of a page. */
export interface Appearance {
  readonly colorScheme: "light" | "dark";
  readonly width: number;
}

/**
 * The appearances in which each page is checked: a desktop, a desktop at a zoom of 200 %, and the narrowest page that WCAG
 * 1.4.10 requires. A zoom of 200 % halves the width in CSS pixels.
 */
export const APPEARANCES: readonly Appearance[] = (["light", "dark"] as const).flatMap((colorScheme) =>
  [1180, 590, 320].map((width) => ({ colorScheme, width })),
);

/** The rules of WCAG 2.2, levels A and AA, and the best practices of axe-core, such as the order of headings. */
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** A page that scrolls sideways by less than this many CSS pixels does not count as too wide. */
const ROUNDING = 1;

/** Returns the violations of WCAG AA on a page in each appearance, one line for each element. */
export async function violations(page: Page, appearances: readonly Appearance[] = APPEARANCES): Promise<string[]> {
  const found: string[] = [];
  await page.evaluate(axe.source);
  for (const { colorScheme, width } of appearances) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 800 });
    const { faults, wide } = await page.evaluate(async (values) => {
      const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run({
        runOnly: { type: "tag", values },
        resultTypes: ["violations"],
      });
      const { scrollWidth, clientWidth } = document.documentElement;
      return {
        faults: violations.flatMap(({ id, nodes }) =>
          nodes.map(({ target, any }) => `${id} at ${target.join(" ")}: ${any[0]?.message ?? ""}`),
        ),
        wide: scrollWidth - clientWidth,
      };
    }, RULES);
    if (wide > ROUNDING) faults.push(`the page is ${wide} px wider than the window`);
    found.push(...faults.map((fault) => `${colorScheme}, ${width} px: ${fault}`));
  }
  return found;
}
