import type { Page } from "playwright-core";

/** Returns one line for each element of the page whose style has an animation or a transition. */
export async function movements(page: Page, reducedMotion: "reduce" | "no-preference"): Promise<string[]> {
  await page.emulateMedia({ reducedMotion });
  return page.evaluate(() =>
    [...document.querySelectorAll("*")].flatMap((each) =>
      [null, "::before", "::after"].flatMap((part) => {
        const { animationName, transitionDuration } = getComputedStyle(each, part);
        const moves = animationName !== "none" || transitionDuration.split(", ").some((time) => time !== "0s");
        return moves ? [`${each.outerHTML.slice(0, 60)} ${part ?? ""}: ${animationName}, ${transitionDuration}`] : [];
      }),
    ),
  );
}

/** Returns the text that a page announces to users of screen readers. */
export function announced(page: Page): Promise<string> {
  return page.evaluate(() => {
    const live = "[aria-live=polite], [aria-live=assertive], [role=status], [role=alert]";
    return [...document.querySelectorAll(live)].map((each) => each.textContent?.trim() ?? "").join("\n");
  });
}
