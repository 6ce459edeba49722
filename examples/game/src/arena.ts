import { hueOf } from "../../../elector/console-page/src/names.js";
import { arc, BALL_RADIUS, paddle, paddleAngle, type Ball, type Game } from "./game.js";
import { pointsOf } from "./screen.js";
import type { PageState } from "./view.js";

/** The maximum time for which the ball moves by prediction between two frames. */
const MAX_AHEAD_SECONDS = 0.1;
const TRAIL = 14;
/** The space for the scores around the disc: a share of half the canvas, but at least `MIN_MARGIN` pixels. */
const MARGIN = 0.11;
const MIN_MARGIN = 27;

/** Draws the game, rotated so that this page's own arc is at the bottom. */
export class Arena {
  private readonly canvas: HTMLCanvasElement;
  private readonly context: CanvasRenderingContext2D;
  private readonly still = matchMedia("(prefers-reduced-motion: reduce)");
  private drawn: { x: number; y: number } | null = null;
  private readonly trail: { x: number; y: number }[] = [];
  private turned = 0;

  constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas;
    const context = canvas.getContext("2d");
    if (context === null) throw new Error("this browser has no canvas");
    this.context = context;
  }

  /** Converts a point of the window to an angle of the game. */
  angleAt(clientX: number, clientY: number): number {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    return Math.atan2(clientY - top - height / 2, clientX - left - width / 2) - this.turned;
  }

  draw({ seen: { game, host }, id, at, sinceMillis, flies }: PageState): void {
    const radius = this.resize();
    const style = getComputedStyle(document.body);
    const colour = (name: string): string => style.getPropertyValue(name).trim();
    const light = colour("--bar-light");
    const hued = (player: string, alpha = 1): string => `oklch(${light} 0.14 ${hueOf(player)} / ${alpha})`;
    const { context } = this;

    this.disc(radius, colour("--well"), colour("--line"));
    if (game === null) return;
    const own = game.seats.findIndex((seat) => seat.id === id);
    this.turned = Math.PI / 2 - (own < 0 ? 0 : arc(own, game.seats.length).middle);

    context.save();
    context.rotate(this.turned);
    game.seats.forEach((seat, i) => {
      const { middle, reach } = arc(i, game.seats.length);
      this.line(radius, middle - reach + 0.012, middle + reach - 0.012, hued(seat.id, 0.35), radius * 0.012);
      const angle = paddleAngle(i, game.seats.length, i === own ? at : seat.at);
      const half = paddle(game.seats.length);
      this.line(radius * 1.012, angle - half, angle + half, hued(seat.id), radius * 0.05);
    });
    this.ball(game.ball, sinceMillis, radius, flies ? colour("--gold-bright") : colour("--soft"));
    context.restore();
    game.seats.forEach((seat, i) => {
      const angle = arc(i, game.seats.length).middle + this.turned;
      this.points(game, seat.id, angle, radius, hued(seat.id), seat.id === host);
    });
  }

  /** Adapts the canvas to the screen's resolution, moves the origin to the middle, and returns the disc's radius. */
  private resize(): number {
    const { canvas, context } = this;
    const size = canvas.clientWidth;
    const fine = Math.min(devicePixelRatio, 3);
    if (canvas.width !== Math.round(size * fine)) canvas.width = canvas.height = Math.round(size * fine);
    context.setTransform(fine, 0, 0, fine, (size * fine) / 2, (size * fine) / 2);
    context.clearRect(-size / 2, -size / 2, size, size);
    return size / 2 - Math.max((size / 2) * MARGIN, MIN_MARGIN);
  }

  private disc(radius: number, fill: string, rim: string): void {
    const { context } = this;
    context.beginPath();
    context.arc(0, 0, radius, 0, 2 * Math.PI);
    context.fillStyle = fill;
    context.fill();
    context.strokeStyle = rim;
    context.lineWidth = 1.5;
    context.stroke();
  }

  private line(radius: number, from: number, to: number, colour: string, width: number): void {
    const { context } = this;
    context.beginPath();
    context.arc(0, 0, radius, from, to);
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.lineCap = "round";
    context.stroke();
  }

  private ball(ball: Ball, sinceMillis: number, radius: number, colour: string): void {
    const ahead = Math.min(sinceMillis / 1000, MAX_AHEAD_SECONDS);
    const target = { x: ball.x + ball.vx * ahead, y: ball.y + ball.vy * ahead };
    const out = Math.hypot(target.x, target.y) / (1 - BALL_RADIUS);
    if (out > 1) [target.x, target.y] = [target.x / out, target.y / out];
    // Frames arrive slightly early or late. To hide this jitter, each drawing moves the ball half the way to its
    // target.
    const near = this.drawn ?? target;
    this.drawn = { x: (near.x + target.x) / 2, y: (near.y + target.y) / 2 };
    this.trail.push(this.drawn);
    if (this.trail.length > TRAIL) this.trail.shift();
    const { context } = this;
    context.fillStyle = colour;
    const shown = this.still.matches ? [this.drawn] : this.trail;
    shown.forEach(({ x, y }, i) => {
      const share = (i + 1) / shown.length;
      context.globalAlpha = share === 1 ? 1 : share * 0.25;
      context.beginPath();
      context.arc(x * radius, y * radius, BALL_RADIUS * radius * (0.4 + 0.6 * share), 0, 2 * Math.PI);
      context.fill();
    });
    context.globalAlpha = 1;
  }

  private points(game: Game, id: string, angle: number, radius: number, colour: string, hosts: boolean): void {
    const { context } = this;
    const distance = radius + Math.max(radius * 0.075, 17);
    const [x, y] = [Math.cos(angle) * distance, Math.sin(angle) * distance];
    context.fillStyle = colour;
    context.font = `700 ${Math.max(Math.round(radius * 0.062), 13)}px ui-sans-serif, system-ui, sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(`${hosts ? "♛ " : ""}${pointsOf(game, id)}`, x, y);
  }
}
