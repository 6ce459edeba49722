import type { Clock } from "../../src/clock.js";

/** A clock that only the test advances. */
export class ManualTime implements Clock {
  private now = 0;
  private wallShift = 1_700_000_000_000;
  private n = 0;
  private timers: { at: number; n: number; run: () => void }[] = [];

  get pendingTimers(): number {
    return this.timers.length;
  }

  monotonicMillis(): number {
    return this.now;
  }

  wallMillis(): number {
    return this.now + this.wallShift;
  }

  after(millis: number, run: () => void): () => void {
    const timer = { at: this.now + Math.max(0, millis), n: this.n++, run };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
  }

  /** Simulates a suspended machine, on which only the wall clock advances. */
  suspend(millis: number): void {
    this.wallShift += millis;
  }

  async advance(millis: number): Promise<void> {
    const end = this.now + millis;
    await settled();
    for (;;) {
      const next = this.timers.filter((t) => t.at <= end).sort((a, b) => a.at - b.at || a.n - b.n)[0];
      if (next === undefined) break;
      this.timers.splice(this.timers.indexOf(next), 1);
      this.now = Math.max(this.now, next.at);
      next.run();
      await settled();
    }
    this.now = end;
  }
}

/** Waits until all promises that can settle have settled. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
