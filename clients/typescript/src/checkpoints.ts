import { stampedTerm } from "./member.js";

/** The name of the messages that carry hand-over state. */
export const CHECKPOINT = "doyen:checkpoint";

/** State that a leader left for the next, ordered by (term, seq). */
export interface Checkpoint {
  readonly term: number;
  readonly seq: number;
  readonly state: unknown;
}

/** A hub takes 64 KiB a message; this leaves room for its envelope. */
export const MAX_CHECKPOINT_BYTES = 48 * 1024;
/** A hub keeps two minutes of history unless told otherwise; half of that is a safe age. */
const MAX_AGE_MILLIS = 60_000;

/**
 * Keeps the greatest checkpoint seen on the channel, and knows when the leader must write it again so that a late
 * joiner finds it within the messages that the channel rewinds (rule K18).
 */
export class Checkpoints {
  private readonly window: number;
  private latest: Checkpoint | null = null;
  /** The last that this member wrote, which it may not have heard yet. */
  private written: Checkpoint | null = null;
  private messagesSince = 0;
  private writtenAt = 0;

  constructor(rewind: number) {
    this.window = Math.max(1, Math.floor(rewind / 2));
  }

  get greatest(): Checkpoint | null {
    return this.latest;
  }

  /** Looks at any message of the channel. */
  observe(message: { name?: string | undefined; data?: unknown; extras?: unknown }, nowMillis: number): void {
    this.messagesSince++;
    if (message.name !== CHECKPOINT) return;
    const data = message.data as Partial<Checkpoint> | null | undefined;
    const term = stampedTerm(message.extras);
    if (term === null || typeof data !== "object" || data === null || !Number.isSafeInteger(data.seq)) return;
    const found: Checkpoint = { term, seq: data.seq as number, state: data.state };
    if (this.latest === null || compare(found, this.latest) >= 0) {
      this.latest = found;
      this.messagesSince = 0;
      this.writtenAt = nowMillis;
    }
  }

  /** The message that makes `state` the greatest checkpoint of this term. */
  next(term: number, state: unknown): Checkpoint {
    const bytes = new TextEncoder().encode(JSON.stringify(state) ?? "").length;
    if (bytes > MAX_CHECKPOINT_BYTES) {
      throw new RangeError(`the checkpoint is ${bytes} bytes, but at most ${MAX_CHECKPOINT_BYTES} are kept`);
    }
    const last = this.newestOf(term);
    this.written = { term, seq: last === null ? 1 : last.seq + 1, state };
    return this.written;
  }

  /** It was refused, or nobody knows what became of it: it is not written again. */
  failed(checkpoint: Checkpoint): void {
    if (this.written === checkpoint) this.written = null;
  }

  /** The greatest checkpoint again, under the leader's own term, if it is about to drop out of the rewind; else null. */
  renewal(term: number, nowMillis: number): Checkpoint | null {
    if (this.latest === null) return null;
    if (this.messagesSince < this.window && nowMillis - this.writtenAt < MAX_AGE_MILLIS) return null;
    this.messagesSince = 0;
    this.writtenAt = nowMillis;
    // What was written and is not heard yet is newer: the one before it, written after it, would take its place.
    return this.next(term, (this.newestOf(term) ?? this.latest).state);
  }

  /** The newest of this term, heard or only written; null if there is none. */
  private newestOf(term: number): Checkpoint | null {
    const [heard, written] = [this.latest, this.written].map((each) => (each?.term === term ? each : null));
    if (!heard || !written) return heard ?? written ?? null;
    return compare(heard, written) > 0 ? heard : written;
  }
}

function compare(a: Checkpoint, b: Checkpoint): number {
  return a.term - b.term || a.seq - b.seq;
}
