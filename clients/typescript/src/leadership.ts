import type { Checkpoint } from "./checkpoints.js";
import { Tenure } from "./tenure.js";

/** What a leadership may ask of the swarm it belongs to. */
export interface Office {
  publishIn(term: number, name: string, data: unknown): Promise<void>;
  checkpointIn(term: number, state: unknown): Promise<void>;
  remainingMillisIn(term: number): number;
}

/**
 * A term of leading a swarm, which is its fencing token: on a Doyen hub it is greater than that of every leader before. After
 * `signal` has aborted, every call rejects.
 */
export class Leadership extends Tenure {
  /** What an earlier leader left with `checkpoint()`, the newest by (term, seq); null if nothing is known. */
  readonly checkpoint: Checkpoint | null;
  private readonly office: Office;

  constructor(term: number, checkpoint: Checkpoint | null, office: Office) {
    super(term, () => office.remainingMillisIn(term));
    this.checkpoint = checkpoint;
    this.office = office;
  }

  /** Publishes with this term as fence; rejects if the term is over here, or at the hub. */
  publish(name: string, data?: unknown): Promise<void> {
    return this.office.publishIn(this.term, name, data);
  }

  /** Leaves state for the next leader; rejects like `publish`. */
  save(state: unknown): Promise<void> {
    return this.office.checkpointIn(this.term, state);
  }
}
