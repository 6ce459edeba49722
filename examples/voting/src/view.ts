import type { SwarmLeader } from "@doyen/swarm";
import { find, setText } from "../../page/find.js";
import { displayName, hueOf } from "../../../elector/console-page/src/names.js";
import type { Mine } from "./mine.js";
import { MAX_CHOICES, tally, type Poll } from "./poll.js";

export interface PageState {
  readonly poll: Poll | null;
  readonly term: number;
  readonly mine: Mine | null;
  readonly connected: boolean;
  readonly leader: SwarmLeader | null;
  readonly isLeader: boolean;
  readonly present: number;
}

const VERDICTS: Record<Mine["verdict"], string> = {
  sent: "Sent. No page has counted it yet.",
  counted: "Counted.",
  "counted before": "You have voted already. Your first vote counts.",
  late: "Too late: the vote was over.",
  stale: "That question is over.",
  "no such choice": "There is no such choice.",
  "no name": "Your name is not accepted.",
  full: "The limit of votes is reached.",
};

/** The visible page of the voter. This class makes no decisions. */
export class View {
  onVote = (_choice: number): void => {};
  onClose = (): void => {};
  onAsk = (_question: string, _choices: readonly string[]): void => {};
  onHandOver = (): void => {};
  private readonly body = document.body;
  private readonly close = find<HTMLButtonElement>("close");
  private readonly handOver = find<HTMLButtonElement>("hand-over");
  private readonly form = find<HTMLFormElement>("ask");
  private shownShape = "";

  constructor() {
    this.close.addEventListener("click", () => this.onClose());
    this.handOver.addEventListener("click", () => this.onHandOver());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const data = new FormData(this.form);
      const choices = String(data.get("choices"))
        .split(",")
        .map((choice) => choice.trim())
        .filter((choice) => choice !== "");
      const few = choices.length < 2 || choices.length > MAX_CHOICES;
      setText("fault", few ? `Enter 2 to ${MAX_CHOICES} choices, separated by commas (now ${choices.length}).` : "");
      if (few) return;
      this.onAsk(String(data.get("question")), choices);
      this.form.reset();
    });
  }

  begin(id: string): void {
    this.body.dataset["clientId"] = id;
    find("me").textContent = displayName(id);
    find("me").style.setProperty("--hue", String(hueOf(id)));
  }

  render(pageState: PageState): void {
    const { poll, mine, isLeader, term } = pageState;
    const { dataset } = this.body;
    dataset["leader"] = String(isLeader);
    dataset["connected"] = String(pageState.connected);
    dataset["term"] = String(term || "");
    dataset["poll"] = String(poll?.number ?? "");
    dataset["votes"] = String(poll === null ? "" : Object.keys(poll.votes).length);
    dataset["mine"] = mine?.verdict ?? "";
    setText("state", state(pageState));
    setText("term", `${term === 0 ? "no term yet" : `term ${term}`}, ${pageState.present} present`);
    this.handOver.disabled = !isLeader;
    this.close.disabled = poll === null || !poll.open;
    this.close.hidden = poll !== null && !poll.open;
    this.form.hidden = poll === null || poll.open;
    if (poll !== null) this.poll(poll, mine);
  }

  private poll(poll: Poll, mine: Mine | null): void {
    const counts = tally(poll);
    const all = counts.reduce((sum, n) => sum + n, 0);
    const own = mine !== null && mine.poll === poll.number ? mine : null;
    setText("question", poll.question);
    setText("count", `${all} ${all === 1 ? "vote" : "votes"}${poll.open ? "" : ", closed"}`);
    setText("verdict", own === null ? (poll.open ? "You have one vote." : "") : VERDICTS[own.verdict]);
    const shape = JSON.stringify([poll.number, poll.choices]);
    if (shape !== this.shownShape) {
      this.shownShape = shape;
      find("choices").replaceChildren(...poll.choices.map((choice, i) => this.choice(choice, i)));
    }
    const votes = find("choices").querySelectorAll<HTMLButtonElement>("button");
    votes.forEach((button, i) => {
      const n = counts[i] ?? 0;
      const chosen = own?.choice === i && own.verdict !== "late" && own.verdict !== "stale";
      button.disabled = !poll.open || own !== null;
      button.setAttribute("aria-pressed", String(chosen));
      button.style.setProperty("--share", String(all === 0 ? 0 : n / all));
      const shown = button.querySelector(".n");
      if (shown !== null && shown.textContent !== String(n)) shown.textContent = String(n);
    });
  }

  private choice(text: string, place: number): HTMLElement {
    const button = document.createElement("button");
    button.type = "button";
    // The choices come from other members, so the page sets them only as text.
    for (const [className, content] of [
      ["label", text],
      ["n", "0"],
    ] as const) {
      const part = document.createElement("span");
      part.className = className;
      part.textContent = content;
      button.append(part);
    }
    button.addEventListener("click", () => this.onVote(place));
    const item = document.createElement("li");
    item.append(button);
    return item;
  }
}

function state({ poll, connected, leader, isLeader }: PageState): string {
  if (!connected) return poll === null ? "Connecting" : "Not connected";
  if (isLeader) return "You count";
  if (leader !== null) return `${displayName(leader.id)} counts`;
  return poll === null ? "Nobody counts yet" : "The votes wait for a page that counts";
}
