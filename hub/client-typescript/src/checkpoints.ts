import { stampedTerm } from "./member.js";

/** Name of the messages that carry saved state. */
export const CHECKPOINT = "doyen:checkpoint";

/** State that a leader saved for the next one, ordered by (term, seq). */
export interface Checkpoint {
  readonly term: number;
  readonly seq: number;
  readonly state: unknown;
}

/** Maximum size. A hub accepts 64 KiB per message; the rest is for the message's envelope. */
export const MAX_CHECKPOINT_BYTES = 48 * 1024;
/** A hub keeps two minutes of history by default. Half of that leaves a margin. */
const MAX_AGE_MILLIS = 60_000;

/**
 * The greatest checkpoint of the channel, and the time to write it again (rule K18).
 *
 * The leader writes it again so that a late member finds it among the messages that the channel rewinds.
 */
export class Checkpoints {
  private readonly window: number;
  private latest: Checkpoint | null = null;
  /** The last checkpoint that this member wrote. Its echo may still be missing. */
  private written: Checkpoint | null = null;
  private messagesSince = 0;
  private writtenAt = 0;

  constructor(rewind: number) {
    this.window = Math.max(1, Math.floor(rewind / 2));
  }

  get greatest(): Checkpoint | null {
    return this.latest;
  }

  /** Processes any message of the channel. */
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

  /** Returns the message that makes `state` the greatest checkpoint of this term. */
  next(term: number, state: unknown): Checkpoint {
    const bytes = new TextEncoder().encode(JSON.stringify(state) ?? "").length;
    if (bytes > MAX_CHECKPOINT_BYTES) {
      throw new RangeError(`the checkpoint is ${bytes} bytes, but at most ${MAX_CHECKPOINT_BYTES} are kept`);
    }
    const last = this.newestOf(term);
    this.written = { term, seq: last === null ? 1 : last.seq + 1, state };
    return this.written;
  }

  /** Forgets a checkpoint that the hub rejected or did not answer. It is not written again. */
  failed(checkpoint: Checkpoint): void {
    if (this.written === checkpoint) this.written = null;
  }

  /** Returns the greatest checkpoint, renewed in the leader's term. Null if it is not about to leave the rewind. */
  renewal(term: number, nowMillis: number): Checkpoint | null {
    if (this.latest === null) return null;
    if (this.messagesSince < this.window && nowMillis - this.writtenAt < MAX_AGE_MILLIS) return null;
    this.messagesSince = 0;
    this.writtenAt = nowMillis;
    // Renew the last written checkpoint even if its echo is missing. An older one written after it would replace it.
    return this.next(term, (this.newestOf(term) ?? this.latest).state);
  }

  /** The newest checkpoint of this term, received or only written; null if there is none. */
  private newestOf(term: number): Checkpoint | null {
    const [heard, written] = [this.latest, this.written].map((each) => (each?.term === term ? each : null));
    if (!heard || !written) return heard ?? written ?? null;
    return compare(heard, written) > 0 ? heard : written;
  }
}

function compare(a: Checkpoint, b: Checkpoint): number {
  return a.term - b.term || a.seq - b.seq;
}
