import { element } from "../../../elector/console-page/src/svg.js";
import type { Kind, Sent } from "./recording.js";
import type { MemberFrame, Frame, Token, Trace } from "./frame.js";

const SIZE = 640;
const CENTRE = SIZE / 2;
const RADIUS = 246;
/** The distance by which the text in the middle extends above and below the centre. */
const MIDDLE = 150;
/** Members whose radius is below this value are close to each other. */
const CLOSE = 16;
const SAMPLES = 28;

/** Draws a frame with the members on a circle, the messages between them, and the places where messages ended. */
export class RingDrawing {
  private readonly svg: SVGSVGElement;

  constructor(svg: SVGSVGElement) {
    this.svg = svg;
    svg.setAttribute("viewBox", `0 0 ${SIZE} ${SIZE}`);
  }

  draw(frame: Frame): void {
    const sheet = new Sheet(frame);
    this.svg.replaceChildren(
      ...sheet.links(),
      ...frame.traces.flatMap((trace) => sheet.trace(trace)),
      ...frame.tokens.flatMap((token) => sheet.token(token)),
      ...frame.members.flatMap((member, place) => sheet.member(member, place)),
      ...sheet.middle(),
    );
    this.svg.setAttribute("aria-label", describe(frame));
  }
}

interface Point {
  readonly x: number;
  readonly y: number;
}

class Sheet {
  private readonly frame: Frame;
  private readonly n: number;
  private readonly size: number;

  constructor(frame: Frame) {
    this.frame = frame;
    this.n = frame.members.length;
    this.size = Math.max(9.5, Math.min(31, (Math.PI * RADIUS * 0.6) / this.n));
  }

  links(): SVGElement[] {
    const parts: SVGElement[] = [];
    const { parted } = this.frame;
    for (const ring of this.frame.rings) {
      if (ring.length < 2) continue;
      ring.forEach((from, i) => {
        const to = ring[(i + 1) % ring.length]!;
        const broken =
          (parted !== null && parted.includes(from) !== parted.includes(to)) ||
          this.frame.members[from]!.part === "crashed" ||
          this.frame.members[to]!.part === "crashed";
        parts.push(element("path", { d: this.path(from, to), class: broken ? "link broken" : "link" }));
      });
    }
    for (const { from, to, progress } of this.frame.lit) {
      const attributes = { d: this.path(from, to), class: "lit", pathLength: 1, "stroke-dasharray": `${progress} 2` };
      parts.push(element("path", attributes));
    }
    return parts;
  }

  token({ sent, progress }: Token): SVGElement[] {
    return this.carried(sent, this.along(sent.from, sent.to, progress), "token", 1);
  }

  /**
   * Draws the trace of a message. A stopped message moves inwards at the member where it ended, and fades. A lost
   * message fades in the middle of its path, or at its receiver if the receiver has crashed.
   */
  trace({ sent, fate, age }: Trace): SVGElement[] {
    const fading = 1 - age;
    if (fate === "lost") {
      const cut = this.along(sent.from, sent.to, 0.5);
      const where = this.frame.members[sent.to]!.part === "crashed" ? this.at(sent.to, RADIUS - this.size * 1.6) : cut;
      const r = this.tokenSize() * (0.8 + 0.5 * age);
      return [
        ...this.carried(sent, where, "token lost", fading),
        element("path", {
          d: `M${where.x - r} ${where.y - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`,
          class: "cross",
          opacity: fading,
        }),
      ];
    }
    if (fate === "passed" || sent.kind === "heartbeat" || sent.kind === "elected") return [];
    if (fate === "home") {
      const { x, y } = this.at(sent.to);
      return [element("circle", { cx: x, cy: y, r: this.size + age * 46, class: "won", opacity: fading })];
    }
    const where = this.at(sent.to, RADIUS - this.size - this.tokenSize() - age * 22);
    return this.carried(sent, where, `token ${fate === "held" ? "held" : "swallowed"}`, fading);
  }

  member(member: MemberFrame, place: number): SVGElement[] {
    const { x, y } = this.at(place);
    const hasLeader = member.leader !== null && !member.leads;
    const classes = `member ${member.part}${member.leads ? " leads" : hasLeader ? " knows" : ""}`;
    const shape = element("circle", { cx: x, cy: y, r: this.size, class: classes });
    hue(shape, member.number, this.n);
    const size = this.size * (member.number > 9 ? 0.86 : 0.98);
    const number = element("text", { x, y, class: `number ${classes}` }, String(member.number));
    number.style.fontSize = `${size}px`;
    const parts = [shape, number];
    if (member.leads) parts.push(this.crown(place));
    if (member.part === "crashed") {
      const r = this.size * 0.72;
      const d = `M${x - r} ${y - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`;
      parts.push(element("path", { d, class: "cross" }));
    } else if (member.part === "active" && member.temporaryId !== member.number && this.frame.leaders.length === 0) {
      const out = this.at(place, RADIUS + this.size + 9);
      const side = Math.cos(this.angle(place));
      const anchor = side > 0.2 ? "start" : side < -0.2 ? "end" : "middle";
      const y = out.y + 6 * Math.sign(out.y - CENTRE);
      const text = element("text", { x: out.x, y, class: `temporary-id ${anchor}` }, `for ${member.temporaryId}`);
      parts.push(text);
    }
    return parts;
  }

  middle(): SVGElement[] {
    const contest = this.frame.contests.at(-1);
    const sent = contest?.sentAt.length ?? 0;
    const again = this.frame.contests.length > 1 ? "in this election" : "to find the leader";
    const messages = `message${sent === 1 ? "" : "s"}`;
    const leaders = this.frame.leaders.map((place) => this.frame.members[place]!.number);
    const who =
      leaders.length === 0
        ? "nobody leads"
        : leaders.length === 1
          ? `${leaders[0]} leads`
          : `${leaders.join(" and ")} lead`;
    return [
      element("text", { x: CENTRE, y: CENTRE - 30, class: "count" }, String(sent)),
      // The text has two lines, because letters are large on a small page and messages end close to
      // the text.
      element("text", { x: CENTRE, y: CENTRE + 20, class: "what" }, messages),
      element("text", { x: CENTRE, y: CENTRE + 49, class: "what" }, again),
      element("text", { x: CENTRE, y: CENTRE + 88, class: leaders.length > 0 ? "who leads" : "who" }, who),
    ];
  }

  private crown(place: number): SVGElement {
    const scale = Math.max(0.75, this.size / 26);
    const onHead = this.at(place);
    // If members are close to each other, a crown on a member would cover the member's neighbour.
    const { x, y } =
      this.size < CLOSE
        ? this.at(place, RADIUS + this.size + 11)
        : { x: onHead.x, y: onHead.y - this.size - 8 * scale };
    const crown = element("path", { d: "M-12 8-14-7l8 6 6-10 6 10 8-6-2 15z", class: "crown" });
    crown.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
    return crown;
  }

  private carried(sent: Sent, { x, y }: Point, classes: string, opacity: number): SVGElement[] {
    if (!isKey(sent)) {
      return [
        element("circle", { cx: x, cy: y, r: sent.kind === "elected" ? 8 : 5.5, class: `word ${sent.kind}`, opacity }),
      ];
    }
    const r = this.tokenSize();
    const second = sent.second === true;
    const shape = second
      ? element("rect", { x: x - r * 0.9, y: y - r * 0.9, width: r * 1.8, height: r * 1.8, rx: r * 0.35 })
      : element("circle", { cx: x, cy: y, r });
    shape.setAttribute("class", `${classes} ${sent.kind}`);
    shape.setAttribute("opacity", String(opacity));
    hue(shape, sent.number, this.n);
    if (r < 6.5) return [shape];
    const text = element("text", { x, y, class: `carried ${classes}`, opacity }, String(sent.number));
    text.style.fontSize = `${r * (sent.number > 9 ? 1.05 : 1.25)}px`;
    return [shape, text];
  }

  private tokenSize(): number {
    return Math.max(6.5, this.size * 0.58);
  }

  private angle(place: number): number {
    return (2 * Math.PI * place) / this.n - Math.PI / 2;
  }

  private at(place: number, radius = RADIUS): Point {
    return polar(this.angle(place), radius);
  }

  /**
   * Returns a point on the path of a message. The path to the next member follows the circle. Other paths cross the
   * circle and avoid the members and the text in the middle.
   */
  private along(from: number, to: number, progress: number): Point {
    const steps = (to - from + this.n) % this.n || this.n;
    const half = (Math.PI * steps) / this.n;
    if (steps === 1) return polar(this.angle(from) + 2 * half * progress, RADIUS);
    const straight = RADIUS * Math.cos(half);
    const clear = RADIUS - 2.3 * this.size;
    const across = straight < 90 && straight > -MIDDLE ? -MIDDLE : straight;
    const furthest = Math.min(clear, Math.max(-clear, across));
    const [start, bend, end] = [this.at(from), polar(this.angle(from) + half, 2 * furthest - straight), this.at(to)];
    const [a, b, c] = [(1 - progress) ** 2, 2 * progress * (1 - progress), progress ** 2];
    return { x: a * start.x + b * bend.x + c * end.x, y: a * start.y + b * bend.y + c * end.y };
  }

  private path(from: number, to: number): string {
    let d = "";
    for (let i = 0; i <= SAMPLES; i++) {
      const { x, y } = this.along(from, to, i / SAMPLES);
      d += `${i === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`;
    }
    return d;
  }
}

function polar(angle: number, radius: number): Point {
  return { x: CENTRE + radius * Math.cos(angle), y: CENTRE + radius * Math.sin(angle) };
}

/**
 * Colours a shape by a member's number, from a cool colour for the least number to a warm colour for the greatest
 * number. The function sets the colour by script, because the page's CSP forbids style attributes.
 */
function hue(shape: SVGElement, number: number, n: number): void {
  shape.style.setProperty("--hue", String(Math.round(265 - (200 * (number - 1)) / Math.max(1, n - 1))));
}

/** Returns true if the message carries the number of a candidate. Other messages are drawn small. */
function isKey({ kind }: Sent): boolean {
  return kind === "elect" || kind === "retry" || kind === "compare";
}

const KINDS: Readonly<Record<Kind, string>> = {
  elect: "tokens",
  retry: "repeated tokens",
  compare: "tokens",
  chosen: "messages to the winner",
  elected: "elected messages",
  heartbeat: "heartbeats of a leader",
  nack: "rejections",
  state: "saved state",
};

function describe(frame: Frame): string {
  const leaders = frame.leaders.map((place) => frame.members[place]!.number);
  const inTransit = new Map<string, number>();
  for (const { sent } of frame.tokens) {
    inTransit.set(KINDS[sent.kind], (inTransit.get(KINDS[sent.kind]) ?? 0) + 1);
  }
  const messages = [...inTransit].map(([what, count]) => `${what}: ${count}`).join(", ");
  return `A ring of ${frame.members.length} members. Leading: ${leaders.join(" and ") || "nobody"}. In transit: ${messages || "nothing"}.`;
}
