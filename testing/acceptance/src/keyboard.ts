import type { Page } from "playwright-core";

const CONTROLS = "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), [tabindex='0']";
/** Tab also stops at elements that scroll, which are not controls. */
const OTHER_STOPS = 6;

/** The record of the page about its controls and the last key. */
interface Recorder {
  controls: Element[];
  clicked: Element | null;
  /** True if a script of the page has prevented the effect of the last key. */
  prevented: boolean;
}

type Recording = typeof globalThis & { recorder: Recorder };

/**
 * Returns one line for each visible control of a page that a user cannot use with the keyboard.
 *
 * Tab must reach each control and the focus must be visible. Enter must activate links, and Enter and Space must
 * activate buttons. Space must activate checkboxes. The page must not prevent the effect of an arrow key in a field. The
 * controls have no effect during and after this check.
 */
export async function keyboardFaults(page: Page): Promise<string[]> {
  const count = await page.evaluate((selector) => {
    const recorder: Recorder = { controls: [], clicked: null, prevented: false };
    Object.assign(globalThis, { recorder });
    recorder.controls = [...document.querySelectorAll(selector)].filter((each) =>
      each.checkVisibility({ visibilityProperty: true }),
    );
    const block = (event: Event): void => {
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    addEventListener(
      "click",
      (event) => {
        recorder.clicked = event.target as Element;
        block(event);
      },
      true,
    );
    for (const type of ["input", "change", "submit"]) addEventListener(type, block, true);
    addEventListener("keydown", (event) => (recorder.prevented = event.defaultPrevented));
    return recorder.controls.length;
  }, CONTROLS);
  const faults: string[] = [];
  const reached = new Set<number>();
  for (let i = 0; i < count + OTHER_STOPS; i++) {
    await page.keyboard.press("Tab");
    const stop = await stopped(page);
    if (stop === null || reached.has(stop.index)) continue;
    reached.add(stop.index);
    if (!stop.outlined) faults.push(`${stop.name} shows no focus`);
    for (const key of stop.keys) {
      await page.keyboard.press(key);
      const fault = await failed(page, stop.index, key.startsWith("Arrow"));
      if (fault) faults.push(`${key} has no effect on ${stop.name}`);
    }
  }
  // A control can be disabled or hidden during the check.
  const missed = await page.evaluate(
    ([selector, found]) => {
      const { controls } = (globalThis as Recording).recorder;
      return controls
        .filter((each, i) => !found.includes(i) && each.matches(selector) && each.checkVisibility())
        .map((each) => each.outerHTML.slice(0, 80));
    },
    [CONTROLS, [...reached]] as const,
  );
  return [...faults, ...missed.map((each) => `Tab does not reach ${each}`)];
}

/** A control that has the focus, and the keys that it must react to. */
interface Stop {
  readonly index: number;
  readonly name: string;
  readonly outlined: boolean;
  readonly keys: readonly string[];
}

function stopped(page: Page): Promise<Stop | null> {
  return page.evaluate(() => {
    const focused = document.activeElement;
    const index = (globalThis as Recording).recorder.controls.indexOf(focused!);
    if (focused === null || index < 0) return null;
    const { outlineStyle, outlineWidth } = getComputedStyle(focused);
    const keys =
      focused instanceof HTMLAnchorElement
        ? ["Enter"]
        : focused instanceof HTMLButtonElement
          ? ["Enter", "Space"]
          : focused instanceof HTMLInputElement && focused.type === "checkbox"
            ? ["Space"]
            : focused instanceof HTMLInputElement || focused instanceof HTMLSelectElement
              ? ["ArrowRight"]
              : [];
    return {
      index,
      name: focused.outerHTML.slice(0, 80),
      outlined: outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1,
      keys,
    };
  });
}

/** Returns true if the last key has not activated the control, or if the page has prevented its effect in a field. */
function failed(page: Page, index: number, isField: boolean): Promise<boolean> {
  return page.evaluate(
    ([at, field]) => {
      const { recorder } = globalThis as Recording;
      const { clicked } = recorder;
      recorder.clicked = null;
      return field ? recorder.prevented : clicked !== recorder.controls[at];
    },
    [index, isField] as const,
  );
}
