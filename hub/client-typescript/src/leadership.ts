import type { Checkpoint } from "./checkpoints.js";

/** The operations of the swarm that a leadership calls. */
export interface TermActions {
  publishIn(term: number, name: string, data: unknown): Promise<void>;
  checkpointIn(term: number, state: unknown): Promise<void>;
  remainingMillisIn(term: number): number;
}

/**
 * One term in which this member leads a swarm. The term is the fencing token.
 *
 * On a Doyen hub, the token is greater than the token of every earlier leader. After `signal` has aborted, every
 * call rejects. A leadership that has ended never starts again.
 */
export class Leadership {
  /** The term. It is greater than the term of every leader that this member has observed. */
  readonly term: number;
  /** The earlier leaders' checkpoint with the greatest (term, seq); null if none is known. */
  readonly checkpoint: Checkpoint | null;
  private readonly actions: TermActions;
  private readonly end = new AbortController();

  constructor(term: number, checkpoint: Checkpoint | null, actions: TermActions) {
    this.term = term;
    this.checkpoint = checkpoint;
    this.actions = actions;
  }

  /**
   * The signal that aborts when the leadership is lost. It aborts before this member lets another member lead. Its
   * reason is the loss reason.
   */
  get signal(): AbortSignal {
    return this.end.signal;
  }

  /**
   * Returns true if this term still lasts according to both clocks. The value true can be out of date. The value false
   * does not mean that another member leads.
   */
  get isLeader(): boolean {
    return this.remainingMillis > 0;
  }

  /** The milliseconds that this member may still lead without another answer of the hub. */
  get remainingMillis(): number {
    return this.end.signal.aborted ? 0 : this.actions.remainingMillisIn(this.term);
  }

  /** Publishes a message with this term as fence. Rejects if the term has ended, or if the hub rejects the fence. */
  publish(name: string, data?: unknown): Promise<void> {
    return this.actions.publishIn(this.term, name, data);
  }

  /** Saves state for the next leader. Rejects in the same cases as `publish`, and if the state is too large. */
  save(state: unknown): Promise<void> {
    return this.actions.checkpointIn(this.term, state);
  }

  /** Ends the leadership. Only the swarm calls this method. */
  finish(reason: string): void {
    this.end.abort(reason);
  }
}
