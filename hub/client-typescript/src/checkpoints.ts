import type { Checkpoint } from "@doyen/tabs/api";
import { stampedTerm } from "./member.js";

/** The name of the messages that contain saved state. */
export const CHECKPOINT = "doyen:checkpoint";

/** The maximum size of a checkpoint. A hub accepts 64 KiB per message, including the message's other fields. */
export const MAX_CHECKPOINT_BYTES = 48 * 1024;
/**
 * The age after which the leader renews a checkpoint. By default a hub stores messages for two minutes, which is twice
 * this age.
 */
const MAX_AGE_MILLIS = 60_000;

/**
 * Stores the greatest checkpoint of a channel, and decides when to write it again (K18). A member that attaches later
 * receives the latest messages of the channel (the rewind). The leader repeats the checkpoint, so that the rewind
 * always contains it.
 */
export class Checkpoints {
  private readonly window: number;
  private latest: Checkpoint | null = null;
  /** The last checkpoint that this member wrote. Perhaps the hub has not echoed this checkpoint yet. */
  private written: Checkpoint | null = null;
  private messagesSince = 0;
  private writtenAt = 0;

  constructor(rewind: number) {
    this.window = Math.max(1, Math.floor(rewind / 2));
  }

  get greatest(): Checkpoint | null {
    return this.latest;
  }

  /** Processes any message of the channel, including messages that are not checkpoints. */
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

  /**
   * Returns a checkpoint of `state` that is greater than all earlier checkpoints of this term. Throws a RangeError if
   * the state is too large.
   */
  next(term: number, state: unknown): Checkpoint {
    const bytes = new TextEncoder().encode(JSON.stringify(state) ?? "").length;
    if (bytes > MAX_CHECKPOINT_BYTES) {
      throw new RangeError(`the checkpoint has ${bytes} bytes, but the limit is ${MAX_CHECKPOINT_BYTES}`);
    }
    const last = this.newestOf(term);
    this.written = { term, seq: last === null ? 1 : last.seq + 1, state };
    return this.written;
  }

  /**
   * Removes a checkpoint that the hub rejected or did not answer. The leader does not write it again, unless its echo
   * arrives.
   */
  failed(checkpoint: Checkpoint): void {
    if (this.written === checkpoint) this.written = null;
  }

  /**
   * Returns the newest checkpoint, renewed in the leader's term. Returns null if no checkpoint has been received, or if
   * no renewal is due because the rewind still contains the checkpoint.
   */
  renewal(term: number, nowMillis: number): Checkpoint | null {
    if (this.latest === null) return null;
    if (this.messagesSince < this.window && nowMillis - this.writtenAt < MAX_AGE_MILLIS) return null;
    this.messagesSince = 0;
    this.writtenAt = nowMillis;
    // Renew the last written checkpoint even if its echo is missing. If the leader wrote an older checkpoint now, that
    // checkpoint would replace the newer one.
    return this.next(term, (this.newestOf(term) ?? this.latest).state);
  }

  /**
   * Returns the newest checkpoint of this term; null if there is none. The hub has perhaps not echoed this checkpoint
   * yet.
   */
  private newestOf(term: number): Checkpoint | null {
    const [received, written] = [this.latest, this.written].map((each) => (each?.term === term ? each : null));
    if (!received || !written) return received ?? written ?? null;
    return compare(received, written) > 0 ? received : written;
  }
}

function compare(a: Checkpoint, b: Checkpoint): number {
  return a.term - b.term || a.seq - b.seq;
}
