import type { Outcome } from "../../../elector/console-page/src/commands.js";
import { keyFromAddress } from "../../../elector/console-page/src/key.js";
import { find, setText } from "../../page/find.js";
import { drawLanes } from "../../page/lanes.js";
import { hueOf } from "../../../elector/console-page/src/names.js";
import { carryOut, type Action } from "./actions.js";
import { Cards } from "./cards.js";
import { drawDiagram } from "./diagram.js";
import { follow } from "./feed.js";
import type { State } from "./state.js";
import { addition, explanation, hasMajority, headline } from "./words.js";

const WINDOW_MILLIS = 120_000;
const SHOWN_EVENTS = 30;

const diagram = document.querySelector<SVGSVGElement>("#diagram")!;
const lanes = document.querySelector<SVGSVGElement>("#lanes")!;
const cards = new Cards(find("cards"), (action, member) => void act(action, member));
const start = find<HTMLButtonElement>("start");
const add = find<HTMLButtonElement>("add");
const again = find<HTMLButtonElement>("again");
const key = keyFromAddress(location, history);
let latest: State | null = null;
let shownEvents = "";

start.addEventListener("click", () => void act("start"));
again.addEventListener("click", () => void act("start"));
add.addEventListener("click", () => void act("add"));
addEventListener("resize", () => {
  if (latest !== null) draw(latest);
});

async function act(action: Action, member?: number): Promise<void> {
  // The outcome of an earlier action is hidden, because a visitor could mistake it for the outcome
  // of this action.
  find("outcome").hidden = true;
  showOutcome(await carryOut(key, action, member));
}

function showOutcome({ done, sentence }: Outcome): void {
  const box = find("outcome");
  box.hidden = false;
  box.classList.toggle("refused", !done);
  setText("outcome", sentence);
}

function show(state: State): void {
  latest = state;
  const { dataset } = document.body;
  dataset["started"] = String(state.started);
  dataset["live"] = "true";
  dataset["leader"] = String(state.leader?.member ?? "");
  dataset["term"] = String(state.leader?.term ?? "");
  dataset["count"] = String(state.count);
  dataset["majority"] = String(hasMajority(state));
  setText("line", "Live");
  setText("state", headline(state));
  setText("why", state.started ? explanation(state) : "");
  document.title = state.started ? `${state.count} · Doyen: a quorum` : "Doyen: a quorum of processes";
  const hint = addition(state);
  add.disabled = hint !== null;
  setText("add-hint", hint ?? "a new process joins");
  cards.show(state);
  showEvents(state);
  draw(state);
}

function draw(state: State): void {
  if (!state.started) return;
  drawDiagram(diagram, state);
  const seen = [...new Set([...state.members.map(({ number }) => number), ...recent(state)])].sort((a, b) => a - b);
  drawLanes(
    lanes,
    seen.map((number) => ({ id: String(number), label: `Member ${number}`, hue: hueOf(`member-${number}`) })),
    state.leaderships.map(({ member, term, from, to }) => ({ id: String(member), term, from, to: to ?? null })),
    { now: state.at, windowMillis: WINDOW_MILLIS, everyMillis: 30_000 },
  );
}

/**
 * Returns the members with a leadership in the chart. A removed member has a lane until its leaderships
 * leave the chart.
 */
function recent(state: State): number[] {
  return state.leaderships.filter(({ to }) => (to ?? state.at) > state.at - WINDOW_MILLIS).map(({ member }) => member);
}

function showEvents(state: State): void {
  const events = state.events.slice(0, SHOWN_EVENTS);
  const shape = JSON.stringify(events);
  if (shape === shownEvents) return;
  shownEvents = shape;
  find("events").replaceChildren(
    ...events.map(({ at, text }) => {
      const item = document.createElement("li");
      const time = document.createElement("time");
      time.dateTime = new Date(at).toISOString();
      time.textContent = new Date(at).toLocaleTimeString("en-GB");
      item.append(time, document.createTextNode(text));
      return item;
    }),
  );
}

void follow({
  state: show,
  broken(sentence) {
    document.body.dataset["live"] = "false";
    setText("line", "No answer");
    showOutcome({ done: false, sentence });
  },
});
