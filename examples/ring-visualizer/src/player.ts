import { endOf, type Recording } from "./recording.js";
import { frameAt } from "./frame.js";
import type { Story } from "./story.js";

/**
 * The longest and the shortest real time per hop at speed 1. These bounds keep a small ring readable and
 * the playback of a large ring short.
 */
const SLOWEST_HOP_MILLIS = 850;
const QUICKEST_HOP_MILLIS = 100;
/** The target duration of a whole recording, in milliseconds. */
const WHOLE_MILLIS = 16_000;
/** The factor by which time passes faster while no message is in transit. */
const HURRY = 6;
/** The pause after an important moment, in milliseconds. */
const PAUSE_MILLIS = 1_300;
/**
 * A step stops at most this long after a moment, in hops. The messages that were sent at the moment are then visible in
 * transit.
 */
const BEYOND_HOPS = 0.35;

/**
 * The displayed time of a recording. This class reads no clock; the caller reports how much real
 * time has passed.
 *
 * If `glides` is false, the player jumps from moment to moment, for viewers who prefer reduced motion.
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
  /** The remaining real time of a pause at a moment, in milliseconds. */
  private pauseMillis = 0;
  /** The end of the current step. */
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
    this.pauseMillis = 0;
    this.until = null;
  }

  /** Plays until shortly after the next moment and then stops. If `glides` is false, the player jumps to this time. */
  step(): void {
    const to = this.afterNext(this.until ?? this.at);
    this.pause();
    if (this.glides) {
      this.until = to;
      this.playing = true;
    } else this.seek(to);
  }

  /** Jumps to shortly after the moment that precedes the displayed moment, or to the start. */
  back(): void {
    this.pause();
    const shown = this.story.previous(this.at);
    const before = shown === null ? null : this.story.previous(shown);
    this.seek(before === null ? 0 : this.justAfter(before));
  }

  /** Advances by real time. Returns true if anything has changed. */
  pass(realMillis: number): boolean {
    if (!this.playing) return false;
    if (this.pauseMillis > 0) {
      this.pauseMillis -= realMillis * this.speed;
      return false;
    }
    const from = this.at;
    const pace = (this.recording.hopMillis / this.hopReal) * this.speed;
    if (!this.glides) {
      this.pauseMillis = this.hopReal * 1.5;
      this.at = Math.min(this.end, this.afterNext(from));
    } else this.at = this.glide(from, realMillis * pace);
    if (this.until === null && this.story.matters(from, this.at)) this.pauseMillis = PAUSE_MILLIS;
    if (this.until !== null && this.at >= this.until) this.pause();
    if (this.ended) this.pause();
    return true;
  }

  private glide(from: number, by: number): number {
    const quiet = frameAt(this.recording, from).tokens.length === 0;
    const most = this.until ?? this.end;
    const next = this.story.next(from) ?? most;
    const to = from + (quiet ? HURRY * by : by);
    // Time passes faster only until the next moment, so that the player does not skip the moment.
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
