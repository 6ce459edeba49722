import type { SwarmLeader } from "@doyen/swarm";
import { labelLineButtons } from "../../page/buttons.js";
import { find, setText } from "../../page/find.js";
import type { Mode } from "../../page/line.js";
import { displayName, hueOf } from "../../../elector/console-page/src/names.js";
import { Arena } from "./arena.js";
import { reachFor, type Game } from "./game.js";
import { nextPoint, pointsOf, type Seen } from "./screen.js";

export interface PageState {
  readonly seen: Seen;
  readonly id: string;
  /** The place of this page's own paddle, which the host receives a little later. */
  readonly at: number;
  readonly sinceMillis: number;
  readonly flies: boolean;
  readonly connected: boolean;
  readonly leader: SwarmLeader | null;
  readonly isLeader: boolean;
  readonly mode: Mode;
}

/** The visible page and the visitor's input. This class makes no decisions about the game. */
export class View {
  onHandOver = (): void => {};
  onKill = (): void => {};
  onFreeze = (): void => {};
  private readonly body = document.body;
  private readonly canvas = find<HTMLCanvasElement>("arena");
  private readonly arena = new Arena(this.canvas);
  private readonly byItself = find<HTMLInputElement>("by-itself");
  private readonly handOver = find<HTMLButtonElement>("hand-over");
  private readonly kill = find<HTMLButtonElement>("kill");
  private readonly freeze = find<HTMLButtonElement>("freeze");
  private readonly keys = new Set<string>();
  private pointed: number | null = null;
  private listed = "";

  constructor() {
    this.handOver.addEventListener("click", () => this.onHandOver());
    this.kill.addEventListener("click", () => this.onKill());
    this.freeze.addEventListener("click", () => this.onFreeze());
    for (const type of ["pointerdown", "pointermove"] as const) {
      this.canvas.addEventListener(type, (event) => {
        if (type === "pointermove" && event.pointerType === "touch" && event.buttons === 0) return;
        this.byItself.checked = false;
        this.pointed = this.arena.angleAt(event.clientX, event.clientY);
      });
    }
    addEventListener("keydown", ({ key }) => {
      if (key !== "ArrowLeft" && key !== "ArrowRight") return;
      this.byItself.checked = false;
      this.pointed = null;
      this.keys.add(key);
    });
    addEventListener("keyup", ({ key }) => this.keys.delete(key));
    addEventListener("blur", () => this.keys.clear());
  }

  get playsByItself(): boolean {
    return this.byItself.checked;
  }

  begin(id: string, { watches, playsByItself }: { watches: boolean; playsByItself: boolean }): void {
    this.body.dataset["clientId"] = id;
    this.byItself.checked = playsByItself;
    find("who").hidden = find("controls").hidden = watches;
    find("me").textContent = displayName(id);
    find("me").style.setProperty("--hue", String(hueOf(id)));
  }

  /** Returns the new place of this page's paddle, according to the visitor's current input. */
  aimed(game: Game, id: string, at: number, keyReach: number): number {
    const seat = game.seats.findIndex((each) => each.id === id);
    if (seat < 0 || this.playsByItself) return at;
    if (this.pointed !== null) return reachFor(seat, game.seats.length, this.pointed);
    // This page's arc is at the bottom of the screen. Angles rise clockwise, so at the bottom they rise to the left.
    const by = Number(this.keys.has("ArrowLeft")) - Number(this.keys.has("ArrowRight"));
    return Math.max(-1, Math.min(1, at + by * keyReach));
  }

  render(pageState: PageState): void {
    const { seen, isLeader, mode } = pageState;
    const { dataset } = this.body;
    dataset["leader"] = String(isLeader);
    dataset["connected"] = String(pageState.connected);
    dataset["term"] = String(seen.term || "");
    dataset["tick"] = String(seen.game?.tick ?? "");
    dataset["points"] = String(seen.game?.scores.reduce((sum, { points }) => sum + points, 0) ?? "");
    dataset["flies"] = String(pageState.flies);
    dataset["mode"] = mode;
    document.title = `${isLeader ? "♛ " : ""}${seen.game === null ? "" : pointsOf(seen.game, pageState.id)} Doyen: the ball`;
    setText("state", state(pageState));
    setText("term", seen.term === 0 ? "no term yet" : `term ${seen.term}`);
    setText("rally", seen.game === null ? "" : nextPoint(seen.game, displayName));
    this.handOver.disabled = !isLeader || mode !== "open";
    this.kill.disabled = mode === "frozen" || (mode === "open" && !isLeader);
    this.freeze.disabled = mode === "cut" || (mode === "open" && !isLeader);
    labelLineButtons(this.kill, this.freeze, mode);
    this.scores(pageState);
    if (!document.hidden) this.arena.draw(pageState);
  }

  private scores({ seen: { game, host }, id }: PageState): void {
    const plays = (player: string): boolean => game?.seats.some((seat) => seat.id === player) ?? false;
    const scores = (game?.scores ?? [])
      .filter((score) => plays(score.id))
      .sort((a, b) => b.points - a.points || (a.id < b.id ? -1 : 1));
    const rows = scores.map(({ id: player, points }) => ({
      player,
      points,
      role: [player === host ? "host" : "", player === id ? "you" : ""],
    }));
    const shape = JSON.stringify(rows);
    if (shape === this.listed) return;
    this.listed = shape;
    const items = rows.map(({ player, points, role }) => {
      const item = document.createElement("li");
      item.dataset["leader"] = String(player === host);
      item.style.setProperty("--hue", String(hueOf(player)));
      for (const [className, text] of [
        ["name", displayName(player)],
        ["role", role.filter((each) => each !== "").join(" · ")],
        ["points", String(points)],
      ] as const) {
        const part = document.createElement("span");
        part.className = className;
        part.textContent = text;
        item.append(part);
      }
      return item;
    });
    find("members").replaceChildren(...items);
  }
}

function state({ seen, connected, flies, isLeader, leader, mode }: PageState): string {
  if (mode === "frozen") return isLeader ? "Frozen, and still the host" : "Frozen";
  if (mode === "cut") return isLeader ? "Cut off, and still the host" : "Cut off";
  if (!connected) return seen.game === null ? "Connecting" : "Not connected";
  if (isLeader) return "You host";
  if (leader !== null && flies) return `${displayName(leader.id)} hosts`;
  return seen.game === null ? "Nobody hosts yet" : "The ball waits for a host";
}
