import type { Leadership } from "@doyen/swarm";
import { NEW_GAME, readGame, step, STEPS_PER_SECOND } from "./game.js";

/**
 * The maximum number of steps that the host makes at once after a delay. The host omits further steps that are due, so
 * that the ball does not jump.
 */
const MAX_STEPS = 6;

/**
 * Runs the game while this page leads.
 *
 * Each frame is a saved state. `save` stores the state on the channel, and every page draws the states that it
 * receives. Therefore the next host has every point that a page has shown.
 */
export class Host {
  private readonly leadership: Leadership;
  private readonly present: () => ReadonlySet<string>;
  private readonly tick: Worker;
  private readonly moves = new Map<string, number>();
  private game;
  private readonly onError: (error: unknown) => void;
  private saving = false;
  private failing = false;
  private spare = 0;
  private lastTick = performance.now();

  /**
   * Starts the game. `present` returns the members that are present at the time of the call. `onError` receives the
   * first of several consecutive saves that fail while this page leads.
   */
  constructor(leadership: Leadership, present: () => ReadonlySet<string>, onError: (error: unknown) => void) {
    this.leadership = leadership;
    this.present = present;
    this.onError = onError;
    this.game = readGame(leadership.checkpoint?.state) ?? NEW_GAME;
    // The timers of a hidden page run only once a second. The timers of a worker are not slowed
    // down.
    this.tick = new Worker("beat.js", { type: "module" });
    this.tick.onmessage = () => void this.advance();
    leadership.signal.addEventListener("abort", () => this.tick.terminate());
  }

  /** Records a member's move if the member is present. */
  moved(id: string, at: number): void {
    if (this.present().has(id)) this.moves.set(id, at);
  }

  private async advance(): Promise<void> {
    const now = performance.now();
    const due = Math.min(this.spare + ((now - this.lastTick) / 1000) * STEPS_PER_SECOND, MAX_STEPS);
    this.lastTick = now;
    // The game pauses until the hub has accepted the last frame, because only a saved state is valid.
    if (this.saving || !this.leadership.isLeader) return;
    const steps = Math.floor(due);
    this.spare = due - steps;
    if (steps === 0) return;
    const inputs = { present: this.present(), moves: new Map(this.moves) };
    this.moves.clear();
    for (let i = 0; i < steps; i++) this.game = step(this.game, inputs, 1 / STEPS_PER_SECOND);
    this.saving = true;
    try {
      await this.leadership.save(this.game);
      this.failing = false;
    } catch (error) {
      // If this page no longer leads, the next host continues. Otherwise the next frame contains the steps of this
      // frame. Frames are frequent, so only the first of consecutive failures is reported.
      if (this.leadership.isLeader && !this.failing) this.onError(error);
      this.failing = true;
    } finally {
      this.saving = false;
    }
  }
}
