/** The leader of a channel in the view of this member. */
export interface SwarmLeader {
  readonly id: string;
  readonly term: number;
  /** True if this member is the leader. The value can be out of date, so check `isLeader` before you act. */
  readonly self: boolean;
}

/**
 * The state of a swarm. It is *failed* if the browser does not let the page store data, or if the hub rejected the
 * swarm. Only a swarm with a hub is ever *disconnected*.
 */
export type SwarmStatus = "connecting" | "connected" | "disconnected" | "failed" | "closed";

/** The state that a leader saved for the next leader. Checkpoints are ordered by (term, seq). */
export interface Checkpoint {
  readonly term: number;
  readonly seq: number;
  readonly state: unknown;
}

/** A message of the channel. */
export interface SwarmMessage {
  readonly name?: string;
  readonly data?: unknown;
  readonly clientId?: string;
}

/** A message between tabs. A message of a leader has a term. */
export interface TabMessage extends SwarmMessage {
  readonly name: string;
  readonly clientId: string;
  readonly term: number | null;
}

/**
 * One term in which this member leads. The term is the fencing token.
 *
 * After `signal` has aborted, every call rejects. A leadership that has ended never starts again.
 */
export interface Leadership {
  readonly term: number;
  /** The state that earlier leaders saved last; null if no leader has saved a state. */
  readonly checkpoint: Checkpoint | null;
  /** The signal that aborts when the leadership is lost. Its reason is the loss reason. */
  readonly signal: AbortSignal;
  /** True if this term still lasts according to both clocks. */
  readonly isLeader: boolean;
  readonly remainingMillis: number;
  /** Publishes a message with this term. Rejects if the term has ended. */
  publish(name: string, data?: unknown): Promise<void>;
  /** Saves state for the next leader. Rejects if the term has ended, or if the state is too large. */
  save(state: unknown): Promise<void>;
}

/**
 * A listener for an event. The swarm ignores the result of the listener, except that `onDemotion` waits for promises
 * and `onError` receives the errors of rejected promises.
 */
export type Listener<T> = (value: T) => unknown;

/** Adds a listener, and returns a function that removes it. */
export type Register<T> = (listener: Listener<T>) => () => void;

/**
 * The API that all swarms have in common: the `Swarm` of this package, and `Swarm` and `TabSwarm` of `@doyen/swarm`.
 *
 * Listeners: assign one listener (`swarm.onElection = f`; null removes it), or add any number
 * (`swarm.onElection(f)`). The second form returns a function that removes the listener.
 */
export interface AnySwarm {
  readonly id: string;
  /** True if this member leads at the time of the call, by the monotonic clock and the wall clock. */
  readonly isLeader: boolean;
  /** The milliseconds that this member may lead without another confirmed renewal. */
  readonly remainingMillis: number;
  readonly leadership: Leadership | null;
  readonly leader: SwarmLeader | null;
  readonly term: number | null;
  readonly status: SwarmStatus;
  get onElection(): Register<Leadership>;
  set onElection(listener: Listener<Leadership> | null);
  get onDemotion(): Register<string>;
  set onDemotion(listener: Listener<string> | null);
  get onLeaderChanged(): Register<SwarmLeader | null>;
  set onLeaderChanged(listener: Listener<SwarmLeader | null> | null);
  get onStatusChanged(): Register<SwarmStatus>;
  set onStatusChanged(listener: Listener<SwarmStatus> | null);
  connect(limits?: { readonly signal?: AbortSignal }): Promise<void>;
  publish(name: string, data?: unknown): Promise<void>;
  checkpoint(state: unknown): Promise<void>;
  send(name: string, data?: unknown): Promise<void>;
  subscribe(listener: (message: SwarmMessage) => void): () => void;
  resign(): void;
  close(): Promise<void>;
}
