import { endOf, type Recording } from "./recording.js";
import { sceneAt } from "./scene.js";
import type { Story } from "./story.js";

/** Real time for a hop at speed 1: between these, so that a small ring can be read and a large one comes to an end. */
const SLOWEST_HOP_MILLIS = 850;
const QUICKEST_HOP_MILLIS = 100;
/** A recording is to take about so long. */
const WHOLE_MILLIS = 16_000;
/** Where nothing is on its way, time passes so many times faster. */
const HURRY = 6;
/** After what one should not miss, time stands still so long. */
const PAUSE_MILLIS = 1_300;
/** A step ends so far beyond its moment, in hops: one sees what goes on its way then. */
const BEYOND_HOPS = 0.35;

/**
 * The time of a recording that is shown. Pure: who owns it tells how much real time has passed. Where members would be seen
 * moving, a player that does not glide goes from moment to moment instead.
 */
export class Player {
  readonly end: number;
  speed = 1;
  playing = false;
  at = 0;
  private readonly recording: Recording;
  private readonly story: Story;
  private readonly hopReal: number;
  private readonly glides: boolean;
  private resting = 0;
  /** Where a step ends. */
  private until: number | null = null;

  constructor(recording: Recording, story: Story, glides: boolean) {
    this.recording = recording;
    this.story = story;
    this.glides = glides;
    this.end = endOf(recording);
    const hops = Math.max(1, this.end / recording.hopMillis);
    this.hopReal = Math.min(SLOWEST_HOP_MILLIS, Math.max(QUICKEST_HOP_MILLIS, WHOLE_MILLIS / hops));
  }

  get ended(): boolean {
    return this.at >= this.end;
  }

  play(): void {
    if (this.ended) this.seek(0);
    this.until = null;
    this.playing = true;
  }

  pause(): void {
    this.playing = false;
    this.until = null;
  }

  seek(at: number): void {
    this.at = Math.min(this.end, Math.max(0, at));
    this.resting = 0;
    this.until = null;
  }

  /** To just after the next moment, at the usual pace, and no further. */
  step(): void {
    const to = this.afterNext(this.until ?? this.at);
    this.pause();
    if (this.glides) {
      this.until = to;
      this.playing = true;
    } else this.seek(to);
  }

  /** To just after the moment before the one that is shown. */
  back(): void {
    this.pause();
    const shown = this.story.previous(this.at);
    const before = shown === null ? null : this.story.previous(shown);
    this.seek(before === null ? 0 : this.justAfter(before));
  }

  /** Lets real time pass; returns whether anything is different now. */
  pass(realMillis: number): boolean {
    if (!this.playing) return false;
    if (this.resting > 0) {
      this.resting -= realMillis * this.speed;
      return false;
    }
    const from = this.at;
    const pace = (this.recording.hopMillis / this.hopReal) * this.speed;
    if (!this.glides) {
      this.resting = this.hopReal * 1.5;
      this.at = Math.min(this.end, this.afterNext(from));
    } else this.at = this.glide(from, realMillis * pace);
    if (this.until === null && this.story.matters(from, this.at)) this.resting = PAUSE_MILLIS;
    if (this.until !== null && this.at >= this.until) this.pause();
    if (this.ended) this.pause();
    return true;
  }

  private glide(from: number, by: number): number {
    const quiet = sceneAt(this.recording, from).tokens.length === 0;
    const most = this.until ?? this.end;
    const next = this.story.next(from) ?? most;
    const to = from + (quiet ? HURRY * by : by);
    // Time that hurries slows down where something happens.
    return Math.min(most, quiet ? Math.min(to, Math.max(next, from + by)) : to);
  }

  private afterNext(from: number): number {
    const next = this.story.next(from);
    return next === null ? this.end : this.justAfter(next);
  }

  private justAfter(moment: number): number {
    const following = this.story.next(moment) ?? this.end;
    return Math.min(
      moment + BEYOND_HOPS * this.recording.hopMillis,
      Math.max(moment, (moment + following) / 2),
      this.end,
    );
  }
}
