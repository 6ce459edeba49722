import { CommandDialog } from "./dialog.js";
import { leaderChanges } from "./changes.js";
import { Feed } from "./feed.js";
import { ChannelFilter, channelsText } from "./filter.js";
import { keyFromAddress } from "./key.js";
import { drawLanes } from "./lanes.js";
import type { Snapshot } from "./snapshot.js";
import { give } from "./commands.js";
import { ProcessPanel } from "./process.js";
import { RateMeter } from "./rates.js";
import { ChannelList, showFigures, showOutcome, showRefusals } from "./view.js";

const form = required<HTMLFormElement>("key-form");
const input = required<HTMLInputElement>("key");
const state = required<HTMLElement>("state");
const meter = new RateMeter();
let latest: Snapshot | null = null;
/** The key of the user. The page does not store a key that the user enters, and discards it when the page is closed. */
let key: string | null = keyFromAddress(location, history);

const outcome = required<HTMLElement>("outcome");
const dialog = new CommandDialog(required("command"), (command, fields) => {
  outcome.hidden = true;
  void give(command, fields, key).then((result) => showOutcome(outcome, result));
});
const feed = new Feed();
/** True until the first snapshot after the user has changed the filter. */
let searching = false;
const filter = new ChannelFilter(required("filter"), () => {
  searching = true;
  latest = null;
  feed.restart();
});
const channels = new ChannelList(required("channels"), (command) => dialog.ask(command));
const panel = new ProcessPanel((command) => dialog.ask(command));

form.addEventListener("submit", (event) => {
  event.preventDefault();
  key = input.value.trim();
  input.value = "";
  state.textContent = "Trying the key";
  feed.restart();
});
addEventListener("resize", () => {
  if (latest !== null) drawLanes(required("lanes"), latest);
});

// Only the demo has a page at the root and its configuration. A hub has neither, and a process on a ring answers each
// path with its leader.
void fetch("/config.json")
  .then((answer) => answer.json())
  .then(
    ({ channel }: { channel?: string }) => (required<HTMLElement>("back").hidden = channel === undefined),
    () => {},
  );

void feed.follow(
  {
    received(snapshot) {
      if (latest !== null) announce(leaderChanges(latest, snapshot));
      latest = snapshot;
      document.body.dataset["snapshots"] = String(Number(document.body.dataset["snapshots"] ?? "0") + 1);
      // Set this attribute before the drawing, because the attribute makes hidden parts of the page visible. A hidden
      // element has no width.
      document.body.dataset["at"] = snapshot.process === undefined ? "hub" : "process";
      required("lanes-shown").textContent = drawLanes(required("lanes"), snapshot);
      if (snapshot.process === undefined) {
        const filtered = filter.query !== "";
        const shown = channelsText(snapshot, filtered);
        showFigures(snapshot, meter.next(snapshot));
        channels.show(snapshot, filtered);
        required("channels-shown").textContent = shown;
        if (searching) announce(shown);
        searching = false;
        showRefusals(required("refusals"), snapshot);
      } else {
        panel.show(snapshot);
      }
    },
    line(line) {
      form.hidden = line !== "key needed";
      document.body.dataset["line"] = line;
      state.textContent = { open: "Live", broken: "No answer", "key needed": "A key is needed" }[line];
    },
  },
  { key: () => key, query: () => filter.query },
);

/** Announces a text to users of screen readers. */
function announce(text: string): void {
  if (text !== "") required("announcement").textContent = text;
}

function required<T extends Element>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element "${id}"`);
  return found as Element as T;
}
