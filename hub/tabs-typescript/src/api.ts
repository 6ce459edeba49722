/**
 * The API that the swarms of `@doyen/tabs` and `@doyen/swarm` have in common. This file contains only types, and needs
 * neither a browser nor a hub.
 */

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

/** The reason why a leadership ended. */
export type LossReason = "resigned" | "closed" | "expired" | "suspended" | "superseded";

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
 * On a Doyen hub, the token is greater than the token of every earlier leader. After `signal` has aborted, every call
 * rejects. A leadership that has ended never starts again.
 */
export interface Leadership {
  /** The term. It is greater than the term of every leader that this member has observed. */
  readonly term: number;
  /** The earlier leaders' checkpoint with the greatest (term, seq); null if none is known. */
  readonly checkpoint: Checkpoint | null;
  /**
   * The signal that aborts when the leadership is lost. It aborts before this member lets another member lead. Its
   * reason is the loss reason.
   */
  readonly signal: AbortSignal;
  /**
   * True if this term still lasts according to both clocks. The value true can be out of date. The value false does not
   * mean that another member leads.
   */
  readonly isLeader: boolean;
  /** The milliseconds that this member may lead without another confirmed renewal. */
  readonly remainingMillis: number;
  /** Publishes a message to all members, with this term as fence. Rejects if the term has ended. */
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
 * A swarm: the `Swarm` of `@doyen/tabs`, or the `Swarm` or `TabSwarm` of `@doyen/swarm`.
 *
 * Listeners: assign one listener (`swarm.onElection = f`; null removes it), or add any number
 * (`swarm.onElection(f)`). The second form returns a function that removes the listener. If a listener throws,
 * `onError` receives the error.
 */
export interface AnySwarm {
  /** The name of this member. */
  readonly id: string;
  /**
   * True if this member leads at the time of the call, by the monotonic clock and the wall clock. The value true can be
   * out of date. The value false does not mean that another member leads.
   */
  readonly isLeader: boolean;
  /** The milliseconds that this member may lead without another confirmed renewal; 0 if it does not lead. */
  readonly remainingMillis: number;
  /** The current leadership of this member, or null if it does not lead. */
  readonly leadership: Leadership | null;
  /** The leader in the view of this member, or null. */
  readonly leader: SwarmLeader | null;
  /** The term of the leader in the view of this member, or null. */
  readonly term: number | null;
  readonly status: SwarmStatus;
  /** Called when this member is elected. A listener that is added while this member leads is also called. */
  get onElection(): Register<Leadership>;
  set onElection(listener: Listener<Leadership> | null);
  /**
   * Called with the reason when a leadership of this member ends.
   *
   * If the listener returns a promise, this member lets another member lead only after the promise has settled or the
   * deadline of the ended leadership has passed. A page that freezes does not wait.
   */
  get onDemotion(): Register<LossReason>;
  set onDemotion(listener: Listener<LossReason> | null);
  /** Called when the leader in the view of this member changes. The argument is the new leader, or null. */
  get onLeaderChanged(): Register<SwarmLeader | null>;
  set onLeaderChanged(listener: Listener<SwarmLeader | null> | null);
  /** Called when `status` changes. */
  get onStatusChanged(): Register<SwarmStatus>;
  set onStatusChanged(listener: Listener<SwarmStatus> | null);
  /** Takes part in the election. If the signal aborts first, the swarm closes, and `connect` rejects. */
  connect(limits?: { readonly signal?: AbortSignal }): Promise<void>;
  /**
   * Runs `work` in each leadership of this member. Another member leads only after the returned promise has settled or
   * the deadline has passed. Returns a function that stops this for later leaderships.
   */
  whileLeading(work: (leadership: Leadership) => unknown): () => void;
  /** Publishes a message to all members as the leader, with the term as fence. Rejects if this member does not lead. */
  publish(name: string, data?: unknown): Promise<void>;
  /** Saves state for the next leader. Rejects if this member does not lead, or if the state is too large. */
  checkpoint(state: unknown): Promise<void>;
  /** Publishes a message to all members without a fence, as any member may. */
  send(name: string, data?: unknown): Promise<void>;
  /** Adds a listener for messages, except those of replaced leaders. Returns a function that removes the listener. */
  subscribe(listener: (message: SwarmMessage) => void): () => void;
  /** Ends this member's leadership. The member does not campaign for `cooldownMillis`. */
  resign(): void;
  /** Resigns and ends the swarm. A closed swarm cannot connect again. */
  close(): Promise<void>;
}

/** The state of a swarm for display. The object is immutable, and each change creates a new object. */
export interface LeaderSnapshot {
  /**
   * True if this member led when this object was created. Use the value only for display, and check
   * `leadership.isLeader` before you act.
   */
  readonly isLeader: boolean;
  /** The leadership of this member, or null if the member did not lead. */
  readonly leadership: Leadership | null;
  /** The leader in the view of this member, or null. */
  readonly leader: SwarmLeader | null;
  /** The term of the leader, or null. */
  readonly term: number | null;
  readonly status: SwarmStatus;
}
