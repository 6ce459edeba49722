import type { Clock } from "./clock.js";
import { UnansweredError } from "./errors.js";

/** When a message that waits is given up, and how many may wait. */
const ANSWER_MILLIS = 10_000;
const MOST = 100;

interface Waiting {
  readonly name: string;
  readonly data: unknown;
  /** The tab it was given to; null while none is connected. */
  holder: string | null;
  settle(error?: unknown): void;
}

/** The messages of one tab that wait for the tab that is connected, or for its answer. */
export class Outbox {
  private readonly waiting = new Map<number, Waiting>();
  private count = 0;
  private readonly clock: Clock;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Settles when it was answered, or with an error that says whether it was sent, or that nobody knows. */
  put(name: string, data: unknown): Promise<void> {
    if (this.waiting.size >= MOST) {
      return Promise.reject(new RangeError(`"${name}" was not sent: ${MOST} messages wait for an answer already`));
    }
    const n = ++this.count;
    return new Promise((resolve, reject) => {
      const cancel = this.clock.after(ANSWER_MILLIS, () => {
        waiting.settle(waiting.holder === null ? notConnected(name) : new UnansweredError(name, ANSWER_MILLIS));
      });
      const waiting: Waiting = {
        name,
        data,
        holder: null,
        settle: (error) => {
          cancel();
          this.waiting.delete(n);
          if (error === undefined) resolve();
          else reject(error);
        },
      };
      this.waiting.set(n, waiting);
    });
  }

  /** Gives to this tab what waits and was given to none. */
  passOn(holder: string, give: (n: number, name: string, data: unknown) => void): void {
    for (const [n, waiting] of [...this.waiting]) {
      if (waiting.holder !== null) continue;
      waiting.holder = holder;
      give(n, waiting.name, waiting.data);
    }
  }

  answered(n: number, error?: unknown): void {
    this.waiting.get(n)?.settle(error);
  }

  /** Whatever was given to another than this tab is not answered any more. */
  keepOnly(holder: string | null): void {
    for (const waiting of [...this.waiting.values()]) {
      if (waiting.holder !== null && waiting.holder !== holder) waiting.settle(new UnansweredError(waiting.name, 0));
    }
  }

  end(): void {
    this.keepOnly(null);
    for (const waiting of [...this.waiting.values()]) waiting.settle(notConnected(waiting.name));
  }
}

function notConnected(name: string): Error {
  return new Error(`"${name}" was not sent: no tab of this browser was connected in time`);
}
