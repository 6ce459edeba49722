import { element } from "../../../console/src/svg.js";
import { displayName, hueOf } from "../../page/names.js";
import type { Timeline } from "./timeline.js";

const WINDOW_MILLIS = 60_000;
const LANE = 34;
const TOP = 4;
const AXIS = 20;
/** More lanes than this would not be readable; the earliest leaders give way. */
const MAX_LANES = 8;

/** Draws who led when over the last minute: a lane for each leader, a bar for each term. */
export function drawLanes(svg: SVGSVGElement, timeline: Timeline, self: string, now: number): void {
  const width = Math.max(svg.clientWidth, 240);
  const from = now - WINDOW_MILLIS;
  const ids = timeline.idsSince(from).slice(-MAX_LANES);
  const height = TOP + Math.max(ids.length, 1) * LANE + AXIS;
  const x = (at: number) => ((Math.max(at, from) - from) / WINDOW_MILLIS) * width;
  const parts: SVGElement[] = [];

  for (let seconds = 0; seconds <= 60; seconds += 15) {
    const at = x(now - seconds * 1000);
    parts.push(element("line", { x1: at, x2: at, y1: TOP, y2: height - AXIS, class: "grid" }));
    const anchor = seconds === 0 ? "end" : seconds === 60 ? "start" : "middle";
    const label = seconds === 0 ? "now" : `−${seconds} s`;
    parts.push(element("text", { x: at, y: height - 5, "text-anchor": anchor, class: "axis" }, label));
  }
  ids.forEach((id, lane) => {
    const y = TOP + lane * LANE;
    for (const reign of timeline.reigns) {
      if (reign.id !== id || (reign.to ?? now) < from) continue;
      const left = x(reign.from);
      const length = Math.max(x(reign.to ?? now) - left, 3);
      const bar = element("rect", { x: left, y: y + 15, width: length, height: 14, rx: 4, class: "bar" });
      bar.style.setProperty("--hue", String(hueOf(id))); // As an attribute the page's own policy would refuse it.
      parts.push(bar);
      if (length > 22) {
        parts.push(element("text", { x: left + 6, y: y + 26, class: "term" }, String(reign.term)));
      }
    }
    parts.push(element("text", { x: 0, y: y + 10, class: "lane" }, displayName(id) + (id === self ? " (you)" : "")));
  });
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.style.height = `${height}px`;
  svg.setAttribute("aria-label", describe(timeline, self));
  svg.replaceChildren(...parts);
}

function describe(timeline: Timeline, self: string): string {
  const reigns = timeline.reigns.slice(-5).map((reign) => {
    const who = reign.id === self ? "you" : displayName(reign.id);
    return `term ${reign.term}: ${who}${reign.to === null ? ", leading now" : ""}`;
  });
  return reigns.length === 0 ? "Nobody has led yet" : `Who led: ${reigns.join("; ")}`;
}
