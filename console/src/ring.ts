import { chip, create, note, orderButton, showTexts } from "./elements.js";
import type { Ring, RingLook, RingMember } from "./look.js";
import { ringOrders, sentence, type Order } from "./orders.js";

/** The figures of a ring as texts, by the ends of the names of the elements that show them. */
export function ringFigures({ at, ring }: RingLook): Record<string, string> {
  const { view, voters } = ring;
  const total = Object.values(ring.sent).reduce((sum, sent) => sum + sent, 0);
  return {
    "members-count": view === undefined ? "–" : view.membersInAll.toLocaleString("en"),
    voters: voters === undefined ? "–" : `${voters.here} of ${voters.ids.length}`,
    term: ring.lastTerm === undefined ? "–" : ring.lastTerm.toLocaleString("en"),
    since: ring.since === undefined ? "–" : durationText(at - ring.since),
    "since-label": ring.leader === undefined ? "without a leader" : "under this leader",
    lap: ring.lap === undefined ? "–" : durationText(at - ring.lap),
    around: ring.aroundMicros === undefined ? "–" : `${(ring.aroundMicros / 1000).toFixed(1)} ms`,
    sent: total.toLocaleString("en"),
  };
}

/** A time as people read it. Two clock readings may cross, so what is negative is none. */
export function durationText(millis: number): string {
  const seconds = Math.max(0, millis) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 100) return `${Math.floor(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 100) return `${minutes} min`;
  return minutes < 100 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} d`;
}

/** What is to be said of a member beside its name. */
export function remarks(member: RingMember): string[] {
  return [
    ...(member.me ? ["this process"] : []),
    ...(member.leads ? ["leads"] : []),
    ...(member.votes ? [member.granted ? "voter, granted" : "voter"] : []),
  ];
}

/** In which view and round the members are, and how they elect. */
export function viewSentence(ring: Ring): string {
  const algorithm = ring.algorithm === "peterson" ? "Peterson" : "Chang and Roberts";
  if (ring.view === undefined) return `No view yet. By ${algorithm}.`;
  const { number, round, members } = ring.view;
  const creator = members.find((member) => member.incarnation === ring.view?.creator)?.id ?? ring.view.creator;
  const votes =
    ring.voters === undefined
      ? "No voters: each side of a partition has a leader."
      : `${ring.voters.needed} of the voters ${ring.voters.ids.join(", ")} must grant a leader.`;
  return `View ${number} of ${creator}, round ${round}, by ${algorithm}. ${votes}`;
}

/**
 * Shows a ring. What is the same as before stays as it is, and so do the buttons, or nobody could press one that is made
 * anew each second.
 */
export class RingPanel {
  private readonly wanted: (order: Order) => void;
  private readonly shown = new Map<string, string>();

  /** @param wanted told when somebody presses an order's button */
  constructor(wanted: (order: Order) => void) {
    this.wanted = wanted;
  }

  show(look: RingLook): void {
    const { ring } = look;
    document.title = `Doyen: ${ring.election} at ${ring.me}`;
    showTexts("ring", ringFigures(look));
    showTexts("ring", { view: viewSentence(ring), why: sentence(ring.why.sentence), name: `console of ${ring.me}` });
    document.getElementById("ring-why")!.classList.toggle("nobody-leads", ring.leader === undefined);
    const { election, leader, mayOrder, view } = ring;
    this.refill("ring-head", { election, leader, mayOrder, view }, () => this.head(ring));
    this.refill("ring-members", view, () => members(ring));
    this.refill("ring-messages", [ring.sent, ring.dropped, ring.buffered], () => messages(ring));
  }

  private refill(id: string, content: unknown, parts: () => HTMLElement[]): void {
    const key = JSON.stringify(content) ?? "";
    if (this.shown.get(id) === key) return;
    this.shown.set(id, key);
    document.getElementById(id)!.replaceChildren(...parts());
  }

  private head(ring: Ring): HTMLElement[] {
    const name = create("strong", "name", ring.election);
    const buttons = create("span", "orders");
    buttons.append(...ringOrders(ring).map((order) => orderButton(order, this.wanted)));
    if (ring.leader === undefined) return [name, create("span", "nobody", "nobody leads"), buttons];
    return [name, chip(ring.leader.id, true), create("span", "term", `term ${ring.leader.term}`), buttons];
  }
}

function members({ view }: Ring): HTMLElement[] {
  if (view === undefined) return [note("Not joined yet.")];
  const rows = view.members.map((member) => {
    const row = create("li", "member");
    row.title = `${member.id}/${member.incarnation}`;
    row.append(chip(member.id, member.leads), create("span", "remarks", remarks(member).join(", ")));
    return row;
  });
  const more = view.membersInAll - view.members.length;
  return more > 0 ? [...rows, note(`and ${more.toLocaleString("en")} more`)] : rows;
}

function messages(ring: Ring): HTMLElement[] {
  const dropped = Object.entries(ring.dropped).filter(([, count]) => count > 0);
  return [
    ...Object.entries(ring.sent).map(([kind, count]) => counted(`sent: ${kind}`, count)),
    ...dropped.map(([reason, count]) => counted(`dropped: ${reason.replaceAll("_", " ")}`, count)),
    ...(dropped.length === 0 ? [counted("dropped", 0)] : []),
    counted("kept for a view to come", ring.buffered),
  ];
}

function counted(what: string, count: number): HTMLElement {
  const row = create("li", "counted");
  row.append(create("span", "what", what), create("span", "count", count.toLocaleString("en")));
  return row;
}
