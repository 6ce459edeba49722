import { OrderDialog } from "./dialog.js";
import { follow } from "./feed.js";
import { drawLanes } from "./lanes.js";
import type { Look } from "./look.js";
import { give } from "./orders.js";
import { ProcessPanel } from "./process.js";
import { RateMeter } from "./rates.js";
import { ChannelList, showFigures, showOutcome, showRefusals } from "./view.js";

const form = required<HTMLFormElement>("key-form");
const input = required<HTMLInputElement>("key");
const state = required<HTMLElement>("state");
const meter = new RateMeter();
let latest: Look | null = null;
/** The key, for this page alone. It is never stored, and ends with the page. */
let key: string | null = null;

const outcome = required<HTMLElement>("outcome");
const dialog = new OrderDialog(required("order"), (order, fields) => {
  outcome.hidden = true;
  void give(order, fields, key).then((told) => showOutcome(outcome, told));
});
const channels = new ChannelList(required("channels"), (order) => dialog.ask(order));
const panel = new ProcessPanel((order) => dialog.ask(order));

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
    looked(look) {
      latest = look;
      document.body.dataset["looks"] = String(Number(document.body.dataset["looks"] ?? "0") + 1);
      // Set this first, because a hidden element has no width to draw in.
      document.body.dataset["at"] = look.process === undefined ? "hub" : "process";
      drawLanes(required("lanes"), look);
      if (look.process === undefined) {
        showFigures(look, meter.next(look));
        channels.show(look);
        showRefusals(required("refusals"), look);
      } else {
        panel.show(look);
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
