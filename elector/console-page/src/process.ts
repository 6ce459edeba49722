import { chip, create, note, commandButton, showTexts } from "./elements.js";
import type { ProcessSnapshot, Ring, RingMember } from "./snapshot.js";
import { processCommands, type AdminCommand } from "./commands.js";
import { sentence } from "./words.js";

/** Returns the figures of a process as texts. The keys are the last parts of the element ids. */
export function processFigures({ at, process }: ProcessSnapshot): Record<string, string> {
  const { view, confirmedInMicros } = process;
  const total = Object.values(process.sent).reduce((sum, sent) => sum + sent, 0);
  return {
    "members-count": view === undefined ? "–" : view.membersInAll.toLocaleString("en"),
    term: process.lastTerm === undefined ? "–" : process.lastTerm.toLocaleString("en"),
    since: process.since === undefined ? "–" : durationText(at - process.since),
    "since-label": process.leader === undefined ? "without a leader" : "under this leader",
    confirmed: process.confirmed === undefined ? "–" : durationText(at - process.confirmed),
    "confirmed-label": "since the last heartbeat",
    sent: total.toLocaleString("en"),
    around: confirmedInMicros === undefined ? "–" : `${(confirmedInMicros / 1000).toFixed(1)} ms`,
  };
}

/** Formats a duration. Negative values become 0. They can occur because the server reads the clock several times. */
export function durationText(millis: number): string {
  const seconds = Math.max(0, millis) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 100) return `${Math.floor(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 100) return `${minutes} min`;
  return minutes < 100 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} d`;
}

/** Returns the remarks beside a member's name. */
export function remarks({ me, leads }: RingMember): string[] {
  return [...(me ? ["this process"] : []), ...(leads ? ["leads"] : [])];
}

/** Returns a text about the view and the election algorithm of the members. */
export function viewSentence(ring: Ring): string {
  const algorithm = ring.algorithm === "peterson" ? "Peterson" : "Chang and Roberts";
  const method = `by ${algorithm}, by priority, then ${orderText(ring.order)}`;
  if (ring.view === undefined) return `No view yet. Elects ${method}.`;
  return `View ${ring.view.number} of ${creator(ring)}, round ${ring.view.round}. Elects ${method}. Each side of a partition has a leader.`;
}

function orderText(order: string): string {
  return order === "oldest" ? "the oldest" : `the ${order.replace("_", " ")}`;
}

/** Returns the id of the member that created the view. */
function creator({ view }: Ring): string {
  return view?.members.find((member) => member.incarnation === view.creator)?.id ?? "a member that has left";
}

/**
 * The panel that displays a process on a ring.
 *
 * The panel replaces only parts that have changed. Otherwise the buttons would be replaced each second, and a click
 * could be lost.
 */
export class ProcessPanel {
  private readonly onCommand: (command: AdminCommand) => void;
  private readonly shown = new Map<string, string>();

  /** @param onCommand the callback that receives the command of a pressed button */
  constructor(onCommand: (command: AdminCommand) => void) {
    this.onCommand = onCommand;
  }

  show(snapshot: ProcessSnapshot): void {
    const { process } = snapshot;
    const { election, leader, commands, view, me, why } = process;
    document.title = `Doyen: ${election} at ${me}`;
    showTexts("process", processFigures(snapshot));
    showTexts("process", {
      view: viewSentence(process),
      why: sentence(why.sentence),
      name: `console of ${me}`,
    });
    document.getElementById("process-why")!.classList.toggle("nobody-leads", leader === undefined);
    this.refill("process-head", { election, leader, commands, view }, () => this.head(process));
    this.refill("process-members", view, () => members(process));
    this.refill("process-messages", [process.sent, process.dropped, process.buffered], () => messages(process));
  }

  private refill(id: string, content: unknown, parts: () => HTMLElement[]): void {
    const key = JSON.stringify(content) ?? "";
    if (this.shown.get(id) === key) return;
    this.shown.set(id, key);
    document.getElementById(id)!.replaceChildren(...parts());
  }

  private head(process: Ring): HTMLElement[] {
    const name = create("strong", "name", process.election);
    const buttons = create("span", "commands");
    buttons.append(...processCommands(process).map((command) => commandButton(command, this.onCommand)));
    if (process.leader === undefined) return [name, create("span", "nobody", "nobody leads"), buttons];
    return [name, chip(process.leader.id, true), create("span", "term", `term ${process.leader.term}`), buttons];
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
  return more > 0
    ? [...rows, note(`${view.members.length} of ${view.membersInAll.toLocaleString("en")} members shown`)]
    : rows;
}

function messages(process: Ring): HTMLElement[] {
  const sent = Object.entries(process.sent).map(([kind, count]) => counted(`sent: ${kind}`, count));
  const dropped = Object.entries(process.dropped).filter(([, count]) => count > 0);
  return [
    ...sent,
    ...dropped.map(([reason, count]) => counted(`dropped: ${reason.replaceAll("_", " ")}`, count)),
    ...(dropped.length === 0 ? [counted("dropped", 0)] : []),
    counted("stored for a later view", process.buffered),
  ];
}

function counted(what: string, count: number): HTMLElement {
  const row = create("li", "counted");
  row.append(create("span", "what", what), create("span", "count", count.toLocaleString("en")));
  return row;
}
