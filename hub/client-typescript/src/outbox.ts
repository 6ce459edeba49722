import type { Clock } from "./clock.js";
import { UnansweredError } from "./errors.js";

/** The time after which a waiting message fails. */
const ANSWER_MILLIS = 10_000;
/** The maximum number of waiting messages. */
const MOST = 100;

interface Waiting {
  readonly name: string;
  readonly data: unknown;
  /** The tab that received the message to send; null while no tab is connected. */
  holder: string | null;
  settle(error?: unknown): void;
}

/** Stores messages of one tab that wait for the connected tab or its answer. */
export class Outbox {
  private readonly waiting = new Map<number, Waiting>();
  private count = 0;
  private readonly clock: Clock;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /**
   * Adds a message. The promise resolves when the connected tab has sent the message. The promise rejects if the
   * message was not sent, or with an `UnansweredError` if the outcome is unknown.
   */
  put(name: string, data: unknown): Promise<void> {
    if (this.waiting.size >= MOST) {
      return Promise.reject(new RangeError(`"${name}" was not sent: ${MOST} messages already wait for an answer`));
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

  /** Passes all messages that no tab has received to the connected tab. */
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

  /** Fails the messages that a tab other than `holder` has received. That tab no longer answers. */
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
