import * as page from "../../page/lanes.js";
import { displayName, hueOf } from "../../../elector/console-page/src/names.js";
import type { Timeline } from "./timeline.js";

const WINDOW_MILLIS = 60_000;
/** The maximum number of readable lanes. If more members have led, the earliest leaders are dropped. */
const MAX_LANES = 8;

/** Draws the leaderships of the last minute. */
export function drawLanes(svg: SVGSVGElement, timeline: Timeline, self: string, now: number): void {
  const lanes = timeline
    .idsSince(now - WINDOW_MILLIS)
    .slice(-MAX_LANES)
    .map((id) => ({ id, label: displayName(id) + (id === self ? " (you)" : ""), hue: hueOf(id) }));
  const stretches = timeline.leaderships.map((leadership) => ({
    ...leadership,
    silentFrom: timeline.silentFrom(leadership, now),
  }));
  page.drawLanes(svg, lanes, stretches, { now, windowMillis: WINDOW_MILLIS, everyMillis: 15_000 });
}
