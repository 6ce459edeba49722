import type { Checkpoint, Leadership } from "@doyen/tabs/api";

/** The operations of the swarm that a leadership calls. */
export interface TermActions {
  publishIn(term: number, name: string, data: unknown): Promise<void>;
  checkpointIn(term: number, state: unknown): Promise<void>;
  remainingMillisIn(term: number): number;
}

/** The leadership of a swarm. It ends when `finish` is called or the deadline of its term passes. */
export class HubLeadership implements Leadership {
  readonly term: number;
  readonly checkpoint: Checkpoint | null;
  private readonly actions: TermActions;
  private readonly end = new AbortController();

  constructor(term: number, checkpoint: Checkpoint | null, actions: TermActions) {
    this.term = term;
    this.checkpoint = checkpoint;
    this.actions = actions;
  }

  get signal(): AbortSignal {
    return this.end.signal;
  }

  get isLeader(): boolean {
    return this.remainingMillis > 0;
  }

  get remainingMillis(): number {
    return this.end.signal.aborted ? 0 : this.actions.remainingMillisIn(this.term);
  }

  publish(name: string, data?: unknown): Promise<void> {
    return this.actions.publishIn(this.term, name, data);
  }

  save(state: unknown): Promise<void> {
    return this.actions.checkpointIn(this.term, state);
  }

  finish(reason: string): void {
    this.end.abort(reason);
  }
}
