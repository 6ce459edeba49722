import type { Checkpoint } from "./checkpoints.js";

/** What a leadership may ask of the swarm it belongs to. */
export interface Office {
  publishIn(term: number, name: string, data: unknown): Promise<void>;
  checkpointIn(term: number, state: unknown): Promise<void>;
  remainingMillisIn(term: number): number;
}

/**
 * One term of leading a swarm, from election to loss. The term is its fencing token: on a Doyen hub it is greater than that
 * of every leader before. After `signal` has aborted, every call rejects, and it is never revived.
 */
export class Leadership {
  /** Greater than that of every leader that this member knew of. */
  readonly term: number;
  /** The newest checkpoint of an earlier leader, by (term, seq); null if none is known. */
  readonly checkpoint: Checkpoint | null;
  private readonly office: Office;
  private readonly end = new AbortController();

  constructor(term: number, checkpoint: Checkpoint | null, office: Office) {
    this.term = term;
    this.checkpoint = checkpoint;
    this.office = office;
  }

  /** Aborts when the leadership is lost, before this member lets anybody else in. Its reason is the loss reason. */
  get signal(): AbortSignal {
    return this.end.signal;
  }

  /** Whether this term still lasts, by both clocks at the time of the call. True is a claim, false only doubt. */
  get isLeader(): boolean {
    return this.remainingMillis > 0;
  }

  /** For how long this member may still count on leading if nothing more is heard, in milliseconds. */
  get remainingMillis(): number {
    return this.end.signal.aborted ? 0 : this.office.remainingMillisIn(this.term);
  }

  /** Publishes with this term as fence; rejects if the term is over here, or at the hub. */
  publish(name: string, data?: unknown): Promise<void> {
    return this.office.publishIn(this.term, name, data);
  }

  /** Leaves state for the next leader; rejects like `publish`. */
  save(state: unknown): Promise<void> {
    return this.office.checkpointIn(this.term, state);
  }

  /** For the swarm alone. */
  finish(reason: string): void {
    this.end.abort(reason);
  }
}
