import { element } from "../../../elector/console-page/src/svg.js";
import type { Recording } from "./recording.js";
import type { Contest, Frame } from "./frame.js";
import { figure, marks } from "./theory.js";

const HEIGHT = 214;
const TOP = 16;
const BOTTOM = 24;
const LABEL_HEIGHT = 15;
const LABELS = 176;

/** Draws the number of messages so far and the theoretical bounds. */
export function drawChart(svg: SVGSVGElement, recording: Recording, frame: Frame, whole: readonly Contest[]): void {
  const width = Math.max(svg.clientWidth, 260);
  const contest = frame.contests.at(-1);
  svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
  svg.style.height = `${HEIGHT}px`;
  if (contest === undefined) {
    svg.replaceChildren();
    return;
  }
  const all = whole[frame.contests.length - 1] ?? contest;
  const theory = marks(recording.algorithm, contest.members);
  const value = (name: string) => theory.find((mark) => mark.name === name)?.value ?? 0;
  const nLgN = theory.find((mark) => mark.name === "")?.value ?? 0;
  // A bound far above the curve is shown only as a label. If the chart contained that bound, the
  // curve would be too flat to read.
  const most = Math.max(all.sentAt.length, nLgN, value("least")) * 1.18;
  const top = value("most") <= most * 1.6 ? Math.max(most, value("most") * 1.06) : most;
  const labels = Math.min(LABELS, width * 0.55);
  const right = width - labels;
  const bottom = HEIGHT - BOTTOM;
  const hops = Math.max(2, Math.ceil(((all.sentAt.at(-1) ?? all.began) - all.began) / recording.hopMillis) + 1);
  const x = (at: number) => (Math.max(0, at - all.began) / recording.hopMillis / hops) * right;
  const y = (count: number) => bottom - (count / top) * (bottom - TOP);
  const parts: SVGElement[] = [element("line", { x1: 0, x2: right, y1: bottom, y2: bottom, class: "axis-line" })];
  const shown = [...theory].sort((one, other) => other.value - one.value);
  let free = -Infinity;
  const places = shown.map((mark) => (free = Math.max(free + LABEL_HEIGHT, Math.max(TOP - 6, y(mark.value)))));
  // If the lowest label is below the chart, all labels move up.
  const below = Math.max(0, (places.at(-1) ?? 0) - (bottom - 2));
  shown.forEach((mark, i) => {
    const beyond = mark.value > top;
    const kind = mark.name === "" ? "nlgn" : mark.name.split(" ").at(-1)!;
    const at = beyond ? TOP - 6 : y(mark.value);
    if (!beyond) parts.push(element("line", { x1: 0, x2: right, y1: at, y2: at, class: `mark ${kind}` }));
    const label = `${beyond ? "↑" : mark.name} ${mark.formula} = ${figure(mark.value)}`.trimStart();
    const text = element("text", { x: right + 7, y: places[i]! - below + 4, class: `label ${kind}` }, label);
    parts.push(text);
  });
  let d = `M0 ${bottom}`;
  contest.sentAt.forEach((at, i) => (d += `H${x(at).toFixed(1)}V${y(i + 1).toFixed(1)}`));
  const now = Math.min(x(frame.at), right);
  d += `H${now.toFixed(1)}`;
  parts.push(element("path", { d: `${d}V${bottom}H0Z`, class: "area" }), element("path", { d, class: "line" }));
  parts.push(element("circle", { cx: now, cy: y(contest.sentAt.length), r: 4.5, class: "now" }));
  for (const hop of ticks(hops)) {
    const at = (hop / hops) * right;
    parts.push(
      element(
        "text",
        {
          x: at,
          y: HEIGHT - 7,
          class: "axis",
          "text-anchor": hop === 0 ? "start" : at > right - 12 ? "end" : "middle",
        },
        String(hop),
      ),
    );
  }
  parts.push(element("text", { x: right + 7, y: HEIGHT - 7, class: "axis" }, "hops"));
  svg.setAttribute("aria-label", describe(contest, theory));
  svg.replaceChildren(...parts);
}

function ticks(hops: number): number[] {
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((each) => hops / each <= 6) ?? 1000;
  const found = [];
  for (let hop = 0; hop <= hops; hop += step) found.push(hop);
  return found;
}

function describe(contest: Contest, theory: ReturnType<typeof marks>): string {
  const text = theory.map((mark) => `${mark.name || mark.formula} ${figure(mark.value)}`).join(", ");
  return `${contest.sentAt.length} messages so far among ${contest.members} members. Theory: ${text}.`;
}
