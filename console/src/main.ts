import { follow } from "./feed.js";
import { drawLanes } from "./lanes.js";
import type { Look } from "./look.js";
import { RateMeter } from "./rates.js";
import { showChannels, showFigures, showRefusals } from "./view.js";

const KEY = "doyen-console-key";

const form = required<HTMLFormElement>("key-form");
const input = required<HTMLInputElement>("key");
const state = required<HTMLElement>("state");
const meter = new RateMeter();
let latest: Look | null = null;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  // For this tab only, and gone with it.
  sessionStorage.setItem(KEY, input.value.trim());
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
      showFigures(look, meter.next(look));
      drawLanes(required("lanes"), look);
      showChannels(required("channels"), look);
      showRefusals(required("refusals"), look);
    },
    line(line) {
      form.hidden = line !== "key needed";
      document.body.dataset["line"] = line;
      state.textContent = { open: "Live", broken: "The hub does not answer", "key needed": "A key is needed" }[line];
    },
  },
  () => sessionStorage.getItem(KEY),
);

function required<T extends Element>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element "${id}"`);
  return found as Element as T;
}
