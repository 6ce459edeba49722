import { CommandDialog } from "./dialog.js";
import { follow } from "./feed.js";
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
/** The key, for this page alone. It is never stored, and ends with the page. */
let key: string | null = null;

const outcome = required<HTMLElement>("outcome");
const dialog = new CommandDialog(required("order"), (command, fields) => {
  outcome.hidden = true;
  void give(command, fields, key).then((told) => showOutcome(outcome, told));
});
const channels = new ChannelList(required("channels"), (command) => dialog.ask(command));
const panel = new ProcessPanel((command) => dialog.ask(command));

form.addEventListener("submit", (event) => {
  event.preventDefault();
  key = input.value.trim();
  input.value = "";
  state.textContent = "Trying the key";
});
addEventListener("resize", () => {
  if (latest !== null) drawLanes(required("lanes"), latest);
});

void follow(
  {
    looked(snapshot) {
      latest = snapshot;
      document.body.dataset["looks"] = String(Number(document.body.dataset["looks"] ?? "0") + 1);
      // Set this first, because a hidden element has no width to draw in.
      document.body.dataset["at"] = snapshot.process === undefined ? "hub" : "process";
      drawLanes(required("lanes"), snapshot);
      if (snapshot.process === undefined) {
        showFigures(snapshot, meter.next(snapshot));
        channels.show(snapshot);
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
  () => key,
);

function required<T extends Element>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element "${id}"`);
  return found as Element as T;
}
