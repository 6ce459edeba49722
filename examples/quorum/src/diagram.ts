import { element } from "../../../elector/console-page/src/svg.js";
import { hueOf } from "../../../elector/console-page/src/names.js";
import type { Member, State } from "./state.js";
import { condition, takesPart } from "./words.js";

const WIDTH = 520;
const CENTER = { x: WIDTH / 2, y: 196 };
const RADIUS = { x: 186, y: 140 };
const NODE = 33;
/** The space for the text below a member. */
const BELOW = 34;
const CROWN = "M-17 8-21-8l11 7L0-16 10-1l11-7-4 16z";

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Places the members on an ellipse, with the first member at the top. */
export function places(count: number): Place[] {
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count - Math.PI / 2;
    return { x: CENTER.x + RADIUS.x * Math.cos(angle), y: CENTER.y + RADIUS.y * Math.sin(angle) };
  });
}

/**
 * The kind of a connection between two members. A connection of the kind `log` is between the leader of the log and
 * another member.
 */
export type Link = "log" | "open" | "broken";

/** Derives the kind of the connection between two members from their reports and the actions on them. */
export function link(one: Member, other: Member, logLeader: number | undefined): Link {
  if (!takesPart(one) || !takesPart(other)) return "broken";
  if (!one.reaches.includes(other.number) && !other.reaches.includes(one.number)) return "broken";
  return one.number === logLeader || other.number === logLeader ? "log" : "open";
}

/** Draws the members, the connections between them, and the count in the middle. */
export function drawDiagram(svg: SVGSVGElement, state: State): void {
  const { members } = state;
  const at = places(members.length);
  const parts: SVGElement[] = [];
  members.forEach((one, i) => {
    members.slice(i + 1).forEach((other, j) => {
      const [from, to] = [at[i]!, at[i + 1 + j]!];
      const kind = link(one, other, state.quorum.logLeader);
      parts.push(element("line", { x1: from.x, y1: from.y, x2: to.x, y2: to.y, class: `link ${kind}` }));
    });
  });
  parts.push(...middle(state));
  members.forEach((member, i) => parts.push(node(member, at[i]!, state)));
  // With three members, the lower part of the ellipse is empty.
  const bottom = Math.max(...at.map(({ y }) => y)) + NODE + BELOW;
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${bottom.toFixed(0)}`);
  svg.setAttribute("aria-label", describe(state));
  svg.replaceChildren(...parts);
}

function middle(state: State): SVGElement[] {
  const leads = state.leader === undefined ? "nobody" : "leads";
  return [
    element("text", { x: CENTER.x, y: CENTER.y - 6, class: `count ${leads}` }, String(state.count)),
    element(
      "text",
      { x: CENTER.x, y: CENTER.y + 40, class: `by ${leads}` },
      state.leader === undefined ? "nobody counts" : `member ${state.leader.member}, term ${state.leader.term}`,
    ),
  ];
}

function node(member: Member, { x, y }: Place, state: State): SVGElement {
  const group = element("g", {
    transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`,
    class: ["node", member.state, member.cut ? "cut" : "", member.leads ? "leads" : "", member.votes ? "votes" : ""]
      .filter(Boolean)
      .join(" "),
  });
  group.style.setProperty("--hue", String(hueOf(`member-${member.number}`)));
  group.append(element("circle", { r: NODE, class: "body" }));
  group.append(element("text", { y: 1, class: "number" }, String(member.number)));
  if (member.leads) group.append(element("path", { d: CROWN, transform: `translate(0 ${-NODE - 6})`, class: "crown" }));
  if (state.quorum.logLeader === member.number) group.append(book());
  if (member.state === "ended") group.append(cross());
  group.append(element("text", { y: NODE + 19, class: "word" }, label(member)));
  return group;
}

/** Draws the cross that marks a member without a process. */
function cross(): SVGElement {
  const at = `translate(${NODE - 6} ${-NODE + 6})`;
  return element("path", { d: "M-9-9 9 9M9-9-9 9", transform: at, class: "cross" });
}

/** Draws the sheet with lines that marks the member that leads the log. */
function book(): SVGElement {
  const sign = element("g", { transform: `translate(${NODE - 4} ${NODE - 8})`, class: "book" });
  sign.append(element("rect", { x: -9, y: -11, width: 18, height: 22, rx: 3 }));
  sign.append(element("path", { d: "M-4.5-5h9M-4.5 0h9M-4.5 5h6" }));
  return sign;
}

function label(member: Member): string {
  if (member.state !== "running" || member.cut || member.leaving) return condition(member);
  if (member.leads) return "counts";
  if (member.role === "leader") return "leads the log";
  return member.role === "learner" ? "learns" : "follows";
}

function describe(state: State): string {
  const each = state.members.map((member) => {
    const log = state.quorum.logLeader === member.number ? ", leads the log" : "";
    return `member ${member.number} ${label(member)}${log}`;
  });
  return `${state.members.length} members, count ${state.count}: ${each.join("; ")}`;
}
