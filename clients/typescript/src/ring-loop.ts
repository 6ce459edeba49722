import { AGAIN_MILLIS, momentOf, type Clock } from "./clock.js";
import { guarded } from "./hook.js";
import {
  initialRing,
  ringRemainingMillis,
  type RingEffect,
  type RingInput,
  type RingSettings,
  type RingState,
} from "./ring-state.js";
import type { RingMember } from "./ring-view.js";
import { stepRing } from "./ring.js";
import { initialRoll, stepRoll, type RollEffect, type RollInput, type RollState } from "./roll-call.js";

export type Say = Extract<RollEffect, { type: "say" }>;

/** What comes of the steps. All may give new inputs, which come after what is under way. */
export interface LoopEvents {
  /** To be carried out. Before the step that asks for it, a leader could have led for `spareMillis` more. */
  effect(effect: RingEffect, spareMillis: number): void;
  say(say: Say): void;
  /** Something here has failed, and the loop goes on. */
  failed(error: unknown): void;
  /** Nothing is under way any more. */
  rested(): void;
}

/** How often a member says something, at the least; who is silent for four times as long is left out. */
const SAY_MILLIS = 1000;

/**
 * Drives the two machines of a member, who is there and who leads: one input at a time, one reading of the clocks each, and
 * a timer for what time alone changes. Views go from the one to the other.
 */
export class RingLoop {
  ring: RingState;
  roll: RollState;
  private readonly clock: Clock;
  private readonly events: LoopEvents;
  private readonly tasks: (() => void)[] = [];
  private busy = false;
  private ringWakeAt: number | null = null;
  private rollWakeAt: number | null = null;
  private cancelWake = (): void => {};
  private ended = false;

  constructor(settings: RingSettings, me: RingMember, clock: Clock, events: LoopEvents) {
    this.ring = initialRing(settings, me);
    this.roll = initialRoll(me, SAY_MILLIS);
    this.clock = clock;
    this.events = events;
  }

  /** For how long this member leads if it hears nothing more. */
  get remainingMillis(): number {
    return ringRemainingMillis(this.ring, momentOf(this.clock));
  }

  /** For the machine that knows who is there. */
  count(input: RollInput): void {
    this.run(() => {
      const { state, effects, wakeAt } = stepRoll(this.roll, this.clock.monotonicMillis(), input);
      this.roll = state;
      this.rollWakeAt = wakeAt;
      for (const effect of effects) {
        if (effect.type === "install") this.decide({ type: "installed", view: effect.view });
        else guarded(this.events.failed, () => this.events.say(effect));
      }
    });
  }

  /** For the machine that knows who leads. */
  decide(input: RingInput): void {
    this.run(() => {
      const at = momentOf(this.clock);
      const spareMillis = ringRemainingMillis(this.ring, at);
      const { state, effects, wakeAt } = stepRing(this.ring, at, input);
      this.ring = state;
      this.ringWakeAt = wakeAt;
      for (const effect of effects) guarded(this.events.failed, () => this.events.effect(effect, spareMillis));
    });
  }

  /** After what is under way. */
  run(task: () => void): void {
    this.tasks.push(task);
    if (this.busy) return;
    this.busy = true;
    let soonest = 0;
    for (let next = this.tasks.shift(); next !== undefined; next = this.tasks.shift()) {
      try {
        next();
      } catch (error) {
        // An input on which a machine fails is lost, and time is looked at again, but not at once.
        soonest = AGAIN_MILLIS;
        this.events.failed(error);
      }
    }
    this.busy = false;
    guarded(this.events.failed, () => this.events.rested());
    this.wakeLater(soonest);
  }

  /** A browser slows the timers of a page that is hidden, but not what it hears. */
  wakeIfDue(): void {
    if (this.dueAt() <= this.clock.monotonicMillis()) this.wake();
  }

  /** It takes inputs as before, and wakes no more. */
  end(): void {
    this.ended = true;
    this.cancelWake();
  }

  private wakeLater(soonest: number): void {
    this.cancelWake();
    const at = this.dueAt();
    if (this.ended || (at === Infinity && soonest === 0)) return;
    const due = at === Infinity ? 0 : Math.ceil(at - this.clock.monotonicMillis());
    const wait = Math.max(soonest, due);
    this.cancelWake = this.clock.after(wait, () => this.wake());
  }

  private dueAt(): number {
    return Math.min(this.ringWakeAt ?? Infinity, this.rollWakeAt ?? Infinity);
  }

  private wake(): void {
    const now = this.clock.monotonicMillis();
    if ((this.rollWakeAt ?? Infinity) <= now) this.count({ type: "tick" });
    this.decide({ type: "woken" });
  }
}
