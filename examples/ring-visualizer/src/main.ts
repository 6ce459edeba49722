import { drawChart } from "./chart.js";
import { Player } from "./player.js";
import { endOf, record, Refused, type Kind, type Recording } from "./recording.js";
import { RingDrawing } from "./ringdrawing.js";
import { frameAt, type Contest } from "./frame.js";
import { fromLink, query, type Settings } from "./settings.js";
import { Story } from "./story.js";

const LABELS: Readonly<Record<Kind, string>> = {
  elect: "numbers",
  compare: "numbers",
  retry: "numbers, again",
  chosen: "to the winner",
  elected: "elected",
  heartbeat: "heartbeats",
  nack: "rejections",
  state: "saved states",
};

const HOW = {
  "chang-roberts": {
    title: "Chang and Roberts, 1979",
    text:
      "Each member sends its number to the next one. A member forwards a number that is greater than its own, and drops a" +
      " lesser one. A member that has seen a greater number only forwards, and is pale from then on. A member whose" +
      " number returns has the greatest number. It leads, and sends an elected message around the ring.",
  },
  peterson: {
    title: "Peterson; Dolev, Klawe and Rodeh, 1982",
    text:
      "In each phase an active member receives the numbers of the two active members before it. It stays active only if" +
      " the nearer number is the greatest of the three, and represents that number from then on. The others only forward." +
      " At least half of the active members become inactive in each phase. A round token is the number that a member" +
      " represents. A square token is a number that it forwards.",
  },
};

interface Shown {
  readonly recording: Recording;
  readonly story: Story;
  readonly player: Player;
  readonly contests: readonly Contest[];
}

const ring = new RingDrawing(required("ring"));
const chart = required<SVGSVGElement>("chart");
const story = required<HTMLElement>("story");
const announcement = required<HTMLElement>("announcement");
const time = required<HTMLInputElement>("time");
const play = required<HTMLButtonElement>("play");
const refusal = required<HTMLElement>("refusal");
const form = required<HTMLFormElement>("settings");
const speed = required<HTMLSelectElement>("speed");
const still = matchMedia("(prefers-reduced-motion: reduce)");

let shown: Shown | null = null;
let latestRequest = 0;
let last = 0;

const field = (id: string) => required<HTMLInputElement & HTMLSelectElement>(id);

function settings(): Settings {
  return {
    n: number("n", 8),
    order: field("order").value as Settings["order"],
    list: field("list").value,
    algorithm: field("algorithm").value as Settings["algorithm"],
    fault: field("fault").value,
    who: number("who", 1),
    when: number("when", 1),
    seed: number("seed", 1),
  };
}

/**
 * Returns a field's number, or `otherwise` if the field contains no number. The server rejects a number out of bounds
 * with a message.
 */
function number(id: string, otherwise: number): number {
  const value = field(id).valueAsNumber;
  return Number.isFinite(value) ? Math.trunc(value) : otherwise;
}

function fill(chosen: Settings): void {
  for (const [id, value] of Object.entries(chosen)) field(id).value = String(value);
  fit();
}

/** Shows the fields that matter for the chosen settings. */
function fit(): void {
  const { order, fault } = settings();
  field("n").closest("label")!.hidden = order === "list";
  form.querySelector<HTMLElement>(".list")!.hidden = order !== "list";
  form.querySelector<HTMLElement>(".who")!.hidden = fault !== "crash";
  form.querySelector<HTMLElement>(".when")!.hidden = fault !== "crash" && fault !== "lost";
}

async function show(autoplay: boolean): Promise<void> {
  const mine = ++latestRequest;
  const chosen = settings();
  const request = query(chosen);
  try {
    const recording = await record(request);
    if (mine !== latestRequest) return;
    refusal.hidden = true;
    history.replaceState(null, "", `#${request.toString()}`);
    const recordedStory = new Story(recording);
    const player = new Player(recording, recordedStory, !still.matches);
    player.speed = Number(speed.value);
    shown = { recording, story: recordedStory, player, contests: frameAt(recording, endOf(recording)).contests };
    time.max = String(player.end);
    required<HTMLElement>("how-title").textContent = HOW[recording.algorithm].title;
    required<HTMLElement>("how").textContent = HOW[recording.algorithm].text;
    if (autoplay) player.play();
    draw();
  } catch (failure) {
    if (mine !== latestRequest) return;
    refusal.textContent =
      failure instanceof Refused ? failure.message : "The server does not answer. Is the demo running?";
    refusal.hidden = false;
  }
}

function draw(): void {
  if (shown === null) return;
  const { recording, player, contests } = shown;
  const frame = frameAt(recording, player.at);
  ring.draw(frame);
  drawChart(chart, recording, frame, contests);
  showCounts(frame.counts, recording.algorithm);
  time.value = String(player.at);
  const [line] = shown.story.linesAt(player.at, 1);
  const text = line?.text ?? "";
  if (story.textContent !== text) {
    story.textContent = text;
    time.setAttribute("aria-valuetext", text);
    // While the player plays, only important lines are announced, because a screen reader is too slow for all lines.
    // While the player is paused, each new line is announced.
    if (line?.weight === 2 || !player.playing) announcement.textContent = text;
  }
  const state = player.playing ? "playing" : player.ended ? "ended" : "paused";
  play.setAttribute("aria-label", player.playing ? "Pause" : "Play");
  const { dataset } = document.body;
  dataset["state"] = state;
  dataset["leader"] = frame.leaders.map((place) => recording.numbers[place]).join(",");
  dataset["contest"] = String(frame.contests.at(-1)?.sentAt.length ?? 0);
  dataset["total"] = String(Object.values(frame.counts).reduce((sum, count) => sum + count, 0));
  dataset["at"] = String(Math.round(player.at));
}

function showCounts(counts: Readonly<Record<Kind, number>>, algorithm: Recording["algorithm"]): void {
  const kinds: Kind[] =
    algorithm === "peterson"
      ? ["compare", "chosen", "elected", "heartbeat", "nack", "state"]
      : ["elect", "retry", "elected", "heartbeat", "nack", "state"];
  const rows: (readonly [string, string, number])[] = kinds.map((kind) => [kind, LABELS[kind], counts[kind]]);
  rows.push(["total", "in all", kinds.reduce((sum, kind) => sum + counts[kind], 0)]);
  const list = required<HTMLElement>("counts");
  if (list.children.length !== rows.length || list.dataset["of"] !== algorithm) {
    list.dataset["of"] = algorithm;
    list.replaceChildren(
      ...rows.map(([kind, label]) => {
        const row = document.createElement("div");
        row.dataset["kind"] = kind;
        row.append(document.createElement("dt"), document.createElement("dd"));
        row.querySelector("dt")!.textContent = label;
        return row;
      }),
    );
  }
  rows.forEach(([, , count], i) => {
    const row = list.children[i]!;
    const text = count.toLocaleString("en");
    const value = row.querySelector("dd")!;
    if (value.textContent !== text) value.textContent = text;
    row.className = count === 0 ? "none" : "";
  });
}

function frame(now: number): void {
  // A page that was hidden continues where it stopped.
  const passed = Math.min(100, now - last);
  last = now;
  if (shown?.player.pass(passed) === true) draw();
  requestAnimationFrame(frame);
}

const controls: Readonly<Record<string, (player: Player) => void>> = {
  start: (player) => {
    player.pause();
    player.seek(0);
  },
  back: (player) => player.back(),
  play: (player) => (player.playing ? player.pause() : player.play()),
  step: (player) => player.step(),
  end: (player) => {
    player.pause();
    player.seek(player.end);
  },
};

function control(id: string): void {
  if (shown === null) return;
  controls[id]!(shown.player);
  draw();
}

for (const id of Object.keys(controls)) required(id).addEventListener("click", () => control(id));

const KEYS: Readonly<Record<string, string>> = {
  " ": "play",
  ArrowRight: "step",
  ArrowLeft: "back",
  Home: "start",
  End: "end",
};

addEventListener("keydown", (event) => {
  const id = KEYS[event.key];
  const on = event.target instanceof Element ? event.target : document.body;
  const has = on.closest("input, select") !== null || (event.key === " " && on.closest("button, a") !== null);
  if (id === undefined || has || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  control(id);
});

time.addEventListener("input", () => {
  if (shown === null) return;
  shown.player.pause();
  shown.player.seek(Number(time.value));
  draw();
});
speed.addEventListener("change", () => {
  if (shown !== null) shown.player.speed = Number(speed.value);
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  void show(!still.matches);
});
form.addEventListener("change", (event) => {
  const on = (event.target as Element).id;
  if (on === "n" || on === "order") suit(on);
  fit();
  void show(!still.matches);
});
required("another").addEventListener("click", () => {
  field("seed").value = String(Math.floor(Math.random() * 1_000_000));
  if (field("order").value !== "random") field("order").value = "random";
  fit();
  void show(!still.matches);
});
addEventListener("resize", draw);
addEventListener("hashchange", () => {
  fill(fromLink(location.hash));
  void show(!still.matches);
});

/** Adjusts the other fields after the visitor has changed the number of members or the order. */
function suit(changed: string): void {
  if (changed === "order" && field("order").value === "list" && field("list").value.trim() === "") {
    field("list").value = (shown?.recording.numbers ?? [3, 1, 4, 2]).join(", ");
  }
  const n = number("n", 8);
  field("who").value = String(n);
  field("when").value = String(Math.max(1, Math.floor(n / 2)));
}

function required<T extends Element>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element "${id}"`);
  return found as Element as T;
}

fill(fromLink(location.hash));
void show(!still.matches);
requestAnimationFrame((now) => {
  last = now;
  frame(now);
});
