import { hueOf } from "../../../elector/console-page/src/names.js";
import type { MemberAction } from "./actions.js";
import type { Member, State } from "./state.js";
import { choices, condition, list, roleText, type Choice } from "./words.js";

const FACTS = ["Raft role", "Votes", "Log", "Reached by", "Sees as leader"] as const;
type Fact = (typeof FACTS)[number];

/** The parts of a card. The elements are never replaced, so a click works even if the text changes during the click. */
interface Card {
  readonly root: HTMLElement;
  readonly condition: HTMLElement;
  readonly leads: HTMLElement;
  readonly logs: HTMLElement;
  readonly process: HTMLElement;
  readonly facts: ReadonlyMap<Fact, HTMLElement>;
  readonly buttons: readonly HTMLButtonElement[];
}

/** The cards of all members. Each card shows the member's state and has buttons for actions on the member. */
export class Cards {
  private readonly list: HTMLElement;
  private readonly chosen: (action: MemberAction, member: number) => void;
  private readonly cards = new Map<number, Card>();

  /** Creates no cards yet; `show` adds them. `chosen` is called when a visitor presses a button. */
  constructor(list: HTMLElement, chosen: (action: MemberAction, member: number) => void) {
    this.list = list;
    this.chosen = chosen;
  }

  show(state: State): void {
    for (const [number, card] of this.cards) {
      if (!state.members.some((member) => member.number === number)) {
        card.root.remove();
        this.cards.delete(number);
      }
    }
    for (const member of state.members) {
      let card = this.cards.get(member.number);
      if (card === undefined) {
        card = this.made(member.number);
        this.cards.set(member.number, card);
        this.list.append(card.root);
      }
      fill(card, member, state);
    }
  }

  private made(number: number): Card {
    const root = create("li", "member");
    root.style.setProperty("--hue", String(hueOf(`member-${number}`)));
    root.dataset["member"] = String(number);
    const title = create("h3", "name", `Member ${number}`);
    title.id = `member-${number}`;
    const leads = create("span", "mark leads", "counts");
    const logs = create("span", "mark logs", "leads the log");
    const state = create("span", "condition");
    const process = create("p", "process");
    const head = create("div", "head");
    head.append(title, state);
    const marks = create("div", "marks");
    marks.append(leads, logs);
    const facts = new Map<Fact, HTMLElement>();
    const table = create("dl", "facts");
    for (const fact of FACTS) {
      const row = create("div", "");
      const value = create("dd", "");
      row.append(create("dt", "", fact), value);
      table.append(row);
      facts.set(fact, value);
    }
    const group = create("div", "buttons");
    group.setAttribute("role", "group");
    group.setAttribute("aria-labelledby", title.id);
    const buttons = [0, 1, 2, 3].map(() => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(create("strong", ""), create("small", ""));
      button.addEventListener("click", () => this.chosen(button.dataset["action"] as MemberAction, number));
      group.append(button);
      return button;
    });
    root.append(head, process, marks, table, group);
    return { root, condition: state, leads, logs, process, facts, buttons };
  }
}

function fill(card: Card, member: Member, state: State): void {
  const { dataset } = card.root;
  dataset["state"] = member.state;
  dataset["cut"] = String(member.cut);
  dataset["leads"] = String(member.leads);
  card.leads.hidden = !member.leads;
  card.logs.hidden = state.quorum.logLeader !== member.number;
  set(card.condition, condition(member));
  set(card.process, `${member.state === "ended" ? "was process" : "process"} ${member.pid}, ${member.address}`);
  const known = member.role !== undefined;
  const values: Record<Fact, string> = {
    "Raft role": known ? `${roleText(member)}, Raft term ${member.term}` : "–",
    Votes: known ? (member.votes ? "yes" : "no") : "–",
    Log: known ? `${member.committed} confirmed, ${member.applied} applied` : "–",
    "Reached by": list(member.reachedBy),
    "Sees as leader": member.sees === undefined ? "nobody" : `member ${member.sees.member}, term ${member.sees.term}`,
  };
  // The last report of a stopped process is out of date.
  dataset["old"] = String(member.state === "frozen" || member.state === "ended");
  for (const [fact, element] of card.facts) set(element, values[fact]);
  choices(member, state).forEach((each, i) => label(card.buttons[i]!, each, member.number));
}

function label(button: HTMLButtonElement, choice: Choice, member: number): void {
  button.dataset["action"] = choice.action;
  button.disabled = !choice.enabled;
  set(button.children[0]!, choice.label);
  set(button.children[1]!, choice.consequence);
  const name = `${choice.label} member ${member}: ${choice.consequence}`;
  if (button.getAttribute("aria-label") !== name) button.setAttribute("aria-label", name);
}

function create(tag: string, className: string, text = ""): HTMLElement {
  const made = document.createElement(tag);
  if (className !== "") made.className = className;
  made.textContent = text;
  return made;
}

function set(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
