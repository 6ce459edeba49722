import type { Led, Leadership } from "./snapshot.js";
import { displayName, hueOf } from "./names.js";
import { element } from "./svg.js";

export const WINDOW_MILLIS = 5 * 60_000;
const LANE = 30;
const TOP = 4;
const AXIS = 20;
const MAX_LANES = 12;
const NARROW = 440;

/**
 * Draws the leaders over time. Each election has a lane, and each term has a bar. A gap is a time without a leader.
 *
 * Returns a text if the drawing does not contain all elections, and otherwise an empty text.
 */
export function drawLanes(svg: SVGSVGElement, snapshot: Led): string {
  const now = snapshot.at;
  const from = now - WINDOW_MILLIS;
  const seen = snapshot.leaderships.filter((leadership) => (leadership.to ?? now) >= from);
  const all = [...new Set(seen.map((leadership) => leadership.election))].sort();
  const elections = all.slice(0, MAX_LANES);
  const width = Math.max(svg.clientWidth, 260);
  const height = TOP + Math.max(elections.length, 1) * LANE + AXIS;
  const x = (at: number) => ((Math.max(at, from) - from) / WINDOW_MILLIS) * width;
  const parts: SVGElement[] = [];
  for (let minutes = 0; minutes <= 5; minutes++) {
    const at = x(now - minutes * 60_000);
    parts.push(element("line", { x1: at, x2: at, y1: TOP, y2: height - AXIS, class: "grid" }));
    // On a narrow page, only every second label is displayed.
    if (minutes % 2 === 1 && width < NARROW) continue;
    const anchor = minutes === 0 ? "end" : minutes === 5 ? "start" : "middle";
    const label = minutes === 0 ? "now" : `−${minutes} min`;
    parts.push(element("text", { x: at, y: height - 5, "text-anchor": anchor, class: "axis" }, label));
  }
  elections.forEach((election, lane) => {
    const y = TOP + lane * LANE;
    for (const leadership of seen.filter((leadership) => leadership.election === election))
      parts.push(...bar(leadership, y, x, now));
    parts.push(element("text", { x: 0, y: y + 9, class: "lane" }, election));
  });
  if (elections.length === 0) {
    const text = "Nobody has led in the last five minutes.";
    parts.push(element("text", { x: 0, y: TOP + 20, class: "nobody" }, text));
  }
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.style.height = `${height}px`;
  svg.setAttribute("aria-label", describe(seen));
  svg.replaceChildren(...parts);
  return all.length > MAX_LANES ? `${MAX_LANES} of ${all.length} elections shown.` : "";
}

function bar(leadership: Leadership, y: number, x: (at: number) => number, now: number): SVGElement[] {
  const left = x(leadership.from);
  const length = Math.max(x(leadership.to ?? now) - left, 3);
  const shape = element("rect", { x: left, y: y + 13, width: length, height: 13, rx: 4, class: "bar" });
  shape.style.setProperty("--hue", String(hueOf(leadership.id))); // The content security policy of the page forbids style attributes.
  shape.append(element("title", {}, `${displayName(leadership.id)}, term ${leadership.term}`));
  const text = `${leadership.term} ${displayName(leadership.id)}`;
  const room = Math.floor((length - 10) / 6.9);
  if (room < String(leadership.term).length) return [shape];
  const shown = text.length <= room ? text : room < 8 ? String(leadership.term) : `${text.slice(0, room - 1)}…`;
  return [shape, element("text", { x: left + 5, y: y + 23, class: "term" }, shown)];
}

function describe(leaderships: readonly Leadership[]): string {
  const last = leaderships.slice(-5).map((leadership) => {
    return `${leadership.election}, term ${leadership.term}: ${displayName(leadership.id)}${leadership.to === undefined ? ", leading now" : ""}`;
  });
  return last.length === 0 ? "Nobody has led in the last five minutes" : `Who led: ${last.join("; ")}`;
}
