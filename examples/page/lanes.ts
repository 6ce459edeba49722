import { element } from "../../elector/console-page/src/svg.js";

const LANE = 34;
const TOP = 4;
const AXIS = 20;
const NARROW = 440;

/** A lane of the chart, which shows one leader. */
export interface Lane {
  readonly id: string;
  readonly label: string;
  readonly hue: number;
}

/** A leadership in the chart. The times are milliseconds of one clock. */
export interface Stretch {
  readonly id: string;
  readonly term: number;
  readonly from: number;
  /** The end of the leadership; null while the leadership lasts. */
  readonly to: number | null;
  /** The time from which the leader was silent; null or absent if it was not silent. */
  readonly silentFrom?: number | null;
}

/** The period that the chart shows, and the distance between its labels. */
export interface TimeAxis {
  readonly now: number;
  readonly windowMillis: number;
  readonly everyMillis: number;
}

/**
 * Draws the leaderships with a lane for each leader and a bar for each term. A time at which no lane has a bar is a
 * time without a leader. The silent part of a bar is hatched.
 */
export function drawLanes(
  svg: SVGSVGElement,
  lanes: readonly Lane[],
  stretches: readonly Stretch[],
  { now, windowMillis, everyMillis }: TimeAxis,
): void {
  const width = Math.max(svg.clientWidth, 240);
  const from = now - windowMillis;
  const height = TOP + Math.max(lanes.length, 1) * LANE + AXIS;
  const x = (at: number) => ((Math.min(Math.max(at, from), now) - from) / windowMillis) * width;
  const parts: SVGElement[] = [hatching()];

  for (let past = 0; past <= windowMillis; past += everyMillis) {
    const at = x(now - past);
    parts.push(element("line", { x1: at, x2: at, y1: TOP, y2: height - AXIS, class: "grid" }));
    // On a narrow page, only every second label is shown.
    if ((past / everyMillis) % 2 === 1 && width < NARROW) continue;
    const anchor = past === 0 ? "end" : past === windowMillis ? "start" : "middle";
    const label = past === 0 ? "now" : `−${past / 1000} s`;
    parts.push(element("text", { x: at, y: height - 5, "text-anchor": anchor, class: "axis" }, label));
  }
  lanes.forEach(({ id, label, hue }, lane) => {
    const y = TOP + lane * LANE;
    for (const stretch of stretches) {
      if (stretch.id !== id || (stretch.to ?? now) < from) continue;
      const left = x(stretch.from);
      const length = Math.max(x(stretch.to ?? now) - left, 3);
      const bar = element("rect", { x: left, y: y + 15, width: length, height: 14, rx: 4, class: "bar" });
      bar.style.setProperty("--hue", String(hue)); // The page's CSP forbids style attributes.
      parts.push(bar);
      const silent = stretch.silentFrom ?? null;
      if (silent !== null) {
        const start = Math.max(x(silent), left);
        const part = { x: start, y: y + 15, width: Math.max(left + length - start, 0), height: 14, rx: 4 };
        parts.push(element("rect", { ...part, class: "silent", fill: "url(#hatching)" }));
      }
      if (length > 8 + 7 * String(stretch.term).length) {
        parts.push(element("text", { x: left + 6, y: y + 26, class: "term" }, String(stretch.term)));
      }
    }
    parts.push(element("text", { x: 0, y: y + 10, class: "lane" }, label));
  });
  if (lanes.length === 0) {
    parts.push(element("text", { x: 0, y: TOP + 22, class: "nobody" }, "Nobody has led yet."));
  }
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.style.height = `${height}px`;
  svg.setAttribute("aria-label", describe(lanes, stretches));
  svg.replaceChildren(...parts);
}

/** Returns the pattern of the lines across the lane of a silent leader. */
function hatching(): SVGElement {
  const shape = { width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
  const pattern = element("pattern", { id: "hatching", ...shape });
  pattern.append(element("rect", { width: 4, height: 7, class: "stripe" }));
  return pattern;
}

function describe(lanes: readonly Lane[], stretches: readonly Stretch[]): string {
  const led = stretches.slice(-5).map((stretch) => {
    const who = lanes.find((lane) => lane.id === stretch.id)?.label ?? stretch.id;
    const silent = (stretch.silentFrom ?? null) === null ? "" : ", silent at the end";
    return `term ${stretch.term}: ${who}${stretch.to === null ? ", leading now" : ""}${silent}`;
  });
  return led.length === 0 ? "Nobody has led yet" : `Who led: ${led.join("; ")}`;
}
