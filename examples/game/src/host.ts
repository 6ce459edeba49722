import type { Leadership } from "@doyen/swarm";
import { NEW_GAME, readGame, step, STEPS_PER_SECOND } from "./game.js";

/** A host that was held up does not make up for more steps than these: the ball waits, rather than jumps. */
const MAX_STEPS = 6;

/**
 * Runs the game for as long as this page leads. Each frame is the state that the next host would go on from: `save` leaves it
 * with the channel, and every page draws what it hears of that. So nobody ever saw a point that a new host does not know.
 */
export class Host {
  private readonly leadership: Leadership;
  private readonly present: () => ReadonlySet<string>;
  private readonly beat: Worker;
  private readonly moves = new Map<string, number>();
  private game;
  private saving = false;
  private spare = 0;
  private lastBeat = performance.now();

  /** `present` says who is there when it is asked. */
  constructor(leadership: Leadership, present: () => ReadonlySet<string>) {
    this.leadership = leadership;
    this.present = present;
    this.game = readGame(leadership.checkpoint?.state) ?? NEW_GAME;
    // A hidden page's timers are slowed down to one a second, but a worker's are not.
    this.beat = new Worker("beat.js", { type: "module" });
    this.beat.onmessage = () => void this.advance();
    leadership.signal.addEventListener("abort", () => this.beat.terminate());
  }

  /** A player moved. */
  moved(id: string, at: number): void {
    if (this.present().has(id)) this.moves.set(id, at);
  }

  private async advance(): Promise<void> {
    const now = performance.now();
    const due = Math.min(this.spare + ((now - this.lastBeat) / 1000) * STEPS_PER_SECOND, MAX_STEPS);
    this.lastBeat = now;
    // While the hub has not taken the last frame the game stands still: what is not handed over did not happen.
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
    } catch {
      // Refused here or at the hub: this page leads no more, or will hear so. Another goes on from the frame before.
    } finally {
      this.saving = false;
    }
  }
}
