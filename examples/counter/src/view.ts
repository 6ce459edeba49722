import type { Swarm } from "@doyen/swarm";
import type { Config } from "../../page/config.js";
import type { Count } from "./count.js";
import { drawLanes } from "./lanes.js";
import { label, labelLineButtons } from "../../page/buttons.js";
import { find, setText } from "../../page/find.js";
import type { Mode } from "../../page/line.js";
import { ACTIONS, type Action } from "./guide.js";
import { displayName, hueOf } from "../../../elector/console-page/src/names.js";
import { inPlainWords } from "../../../elector/console-page/src/words.js";
import type { Takeover, Timeline } from "./timeline.js";

export interface PageState {
  readonly swarm: Swarm;
  readonly count: Count;
  readonly timeline: Timeline;
  readonly config: Config;
  readonly mode: Mode;
  /** The last term in which this page led; null if it has never led. */
  readonly oldTerm: number | null;
}

const LOSSES: Record<string, string> = {
  resigned: "You resigned. This page does not campaign for five seconds.",
  expired: "The hub did not answer in time. This page stopped by its own clock before another page could lead.",
  suspended: "This page was stopped for too long, so it no longer leads.",
  superseded: "Another page leads now.",
  closed: "You left.",
};

/** The maximum number of members in the list. Further members are only counted. */
const MAX_LISTED = 12;

/** The visible page. This class displays the state and makes no decisions. */
export class View {
  onResign = (): void => {};
  onKill = (): void => {};
  onFreeze = (): void => {};
  onOldTerm = (): void => {};
  onGuide = (): void => {};
  private readonly body = document.body;
  private readonly buttons = {
    resign: find<HTMLButtonElement>("resign"),
    kill: find<HTMLButtonElement>("kill"),
    freeze: find<HTMLButtonElement>("freeze"),
    old: find<HTMLButtonElement>("old-term"),
  };
  private listed = "";

  constructor() {
    this.buttons.resign.addEventListener("click", () => this.onResign());
    this.buttons.kill.addEventListener("click", () => this.onKill());
    this.buttons.freeze.addEventListener("click", () => this.onFreeze());
    this.buttons.old.addEventListener("click", () => this.onOldTerm());
    for (const action of ACTIONS) find(`guide-${action}`).addEventListener("click", () => this.onGuide());
  }

  clientId(id: string, electorUrl: string): void {
    this.body.dataset["clientId"] = id;
    find("me").textContent = displayName(id);
    find("me").style.setProperty("--hue", String(hueOf(id)));
    find("elector").hidden = electorUrl === "";
    find("elector-command").textContent = `curl -N ${electorUrl.replace(/\/$/, "")}/sse`;
  }

  /**
   * Shows the links to pages that control the machine of the demo, unless other machines can open this page. Shows the
   * URL for other machines with its QR code, unless the URL is empty.
   */
  machines({ sharedUrl: url, ownMachine }: Config): void {
    find("own-machine").hidden = !ownMachine;
    find("share").hidden = url === "";
    if (url === "") return;
    find<HTMLAnchorElement>("shared-url").href = url;
    find("shared-url").textContent = url;
    const code = find<HTMLImageElement>("qr-code");
    code.alt = `QR code of ${url}`;
    code.src = "/qr-code.svg";
  }

  connected(): void {
    this.body.dataset["connected"] = "true";
  }

  render(pageState: PageState): void {
    const { swarm, count, timeline, mode } = pageState;
    const { leader, isLeader } = swarm;
    const { dataset } = this.body;
    dataset["leader"] = String(isLeader);
    dataset["term"] = String((isLeader ? pageState.oldTerm : leader?.term) ?? "");
    dataset["count"] = String(count.value ?? "");
    dataset["mode"] = mode;
    document.title = `${isLeader ? "♛ " : ""}${count.value ?? "–"} · Doyen`;
    find("count").textContent = count.value === null ? "–" : String(count.value);
    find("breaks").textContent =
      count.breaks === 0
        ? "no gap, no repeat"
        : `${count.breaks} ${count.breaks === 1 ? "break" : "breaks"} in the count`;
    find("state").textContent = this.state(pageState, isLeader);
    find("term").textContent = leader === null ? "no leader" : `term ${leader.term}`;
    this.lease(pageState, isLeader);
    this.stopwatch(timeline);
    this.controls(pageState, isLeader);
    this.members(swarm);
    drawLanes(document.querySelector<SVGSVGElement>("#lanes")!, timeline, swarm.id, performance.now());
  }

  /** Shows the text of the guide. Only the button of this action is enabled. */
  guide(text: string, enabled: Action | null): void {
    setText("guide-text", text);
    for (const action of ACTIONS) find<HTMLButtonElement>(`guide-${action}`).disabled = action !== enabled;
  }

  /** Clears messages about an earlier leadership. */
  elected(): void {
    this.note("");
    this.refused(null);
  }

  ticked(): void {
    const shown = find("count");
    shown.classList.remove("tick");
    void shown.offsetWidth; // This expression restarts the animation.
    shown.classList.add("tick");
  }

  demoted(reason: string): void {
    this.note(LOSSES[reason] ?? reason);
  }

  /** Announces a text to all visitors, including visitors with screen readers. */
  announce(text: string): void {
    find("announcement").textContent = text;
  }

  note(text: string): void {
    find("note").textContent = text;
  }

  /** Shows why the hub rejected a write; null hides the message. */
  refused(message: string | null): void {
    const box = find("refusal");
    box.hidden = message === null;
    find("refusal-text").textContent = message === null ? "" : inPlainWords(message);
  }

  fail(text: string): void {
    this.announce(text);
    this.note(text);
    this.body.dataset["mode"] = "failed";
  }

  private state({ swarm, mode }: PageState, isLeader: boolean): string {
    if (mode === "frozen") return isLeader ? "Frozen, and still the leader" : "Frozen";
    if (mode === "cut") return isLeader ? "Cut off, and still the leader" : "Cut off";
    if (isLeader) return "You lead";
    if (this.body.dataset["connected"] !== "true") return "Connecting";
    return swarm.leader === null ? "Nobody leads" : `${displayName(swarm.leader.id)} leads`;
  }

  /** Shows how long this page may still lead if the hub does not answer. */
  private lease({ swarm, config }: PageState, isLeader: boolean): void {
    const whole = 0.8 * config.claimTtlMillis;
    const left = swarm.remainingMillis;
    find("lease").hidden = !isLeader;
    find("lease-bar").style.transform = `scaleX(${Math.min(1, left / whole).toFixed(3)})`;
    find("lease-text").textContent = `${(left / 1000).toFixed(1)} s left if the hub does not answer`;
  }

  /** Shows the seconds without a count, from the last number of the old leader to the first of the new leader. */
  private stopwatch(timeline: Timeline): void {
    const { takeover } = timeline;
    const now = performance.now();
    const since = timeline.silentSince(now);
    const millis = since === null ? takeover?.silenceMillis : now - since;
    const box = find("stopwatch");
    box.dataset["running"] = String(since !== null);
    if (takeover !== null && since === null) box.dataset["millis"] = String(Math.round(takeover.silenceMillis));
    find("takeover").textContent = millis === undefined ? "–" : (millis / 1000).toFixed(1);
    setText("takeover-text", stopwatchText(since !== null, takeover));
  }

  private controls({ mode, swarm, oldTerm }: PageState, isLeader: boolean): void {
    const { resign, kill, freeze, old } = this.buttons;
    resign.disabled = !isLeader || mode !== "open";
    kill.disabled = mode === "frozen";
    freeze.disabled = mode === "cut";
    old.disabled = mode === "cut" || (mode === "open" && isLeader) || (oldTerm === null && swarm.leader === null);
    labelLineButtons(kill, freeze, mode);
    label(
      old,
      mode === "frozen" ? "Wake and write" : "Write",
      writeHint(oldTerm, swarm.term, isLeader && mode === "open"),
    );
  }

  private members(swarm: Swarm): void {
    const members = swarm.members;
    const shape = JSON.stringify(members);
    if (shape === this.listed) return;
    this.listed = shape;
    find("member-count").textContent = String(members.length);
    const items = members.slice(0, MAX_LISTED).map((member) => {
      const item = document.createElement("li");
      item.style.setProperty("--hue", String(hueOf(member.id)));
      item.dataset["leader"] = String(member.leader);
      const name = document.createElement("span");
      name.className = "name";
      name.textContent = displayName(member.id);
      const role = document.createElement("span");
      role.className = "role";
      role.textContent = [member.leader ? "leader" : "", member.self ? "you" : "", member.eligible ? "" : "ineligible"]
        .filter((text) => text !== "")
        .join(" · ");
      item.append(name, role);
      return item;
    });
    find("members").replaceChildren(...items);
    find("more").textContent = members.length > MAX_LISTED ? `and ${members.length - MAX_LISTED} more` : "";
  }
}

function stopwatchText(running: boolean, takeover: Takeover | null): string {
  if (running) return "since the last number";
  if (takeover === null) return "End a leadership to measure a takeover.";
  return `between the last number of the old leader and the first number of term ${takeover.term}`;
}

function writeHint(oldTerm: number | null, term: number | null, leading: boolean): string {
  if (leading) return "possible after you stop leading";
  if (oldTerm !== null) return `with your old term, ${oldTerm}`;
  return term === null ? "with an old term" : `with term ${term}, not yours`;
}
