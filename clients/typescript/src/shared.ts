import type { AnySwarm, SwarmLeader, SwarmMember, SwarmStatus } from "./any-swarm.js";
import { reporter } from "./hook.js";
import type { Leadership } from "./leadership.js";
import type { WithClient } from "./options.js";
import { Swarm } from "./swarm.js";
import { TabSwarm, type TabOptions } from "./tab-swarm.js";

/** What a part of a page is shown: one value, replaced whole whenever anything changed. */
export interface Standing {
  /** Whether this tab led when this was made. For showing only: before an act ask `leadership.isLeader`. */
  readonly isLeader: boolean;
  /** The term that this tab leads in, to act with; null if it did not lead. */
  readonly leadership: Leadership | null;
  /** The leader whom everybody sees, or null; `self` if it is this browser, in whichever tab. */
  readonly leader: SwarmLeader | null;
  /** That leader's term, or null. */
  readonly term: number | null;
  readonly members: readonly SwarmMember[];
  readonly status: SwarmStatus;
  /** Gives the leadership up, if this tab has it. */
  readonly resign: () => void;
  /** To publish, and to subscribe; null before the page has run. */
  readonly swarm: AnySwarm | null;
}

export type SharedOptions = TabOptions | WithClient;

/** On a server, and before the page has run. */
export const NOWHERE: Standing = {
  isLeader: false,
  leadership: null,
  leader: null,
  term: null,
  members: [],
  status: "connecting",
  resign: () => {},
  swarm: null,
};

/**
 * How long a swarm outlives its last user. Parts of a page come and go together, and in React's strict mode each comes
 * twice: the connection should not.
 */
const LINGER_MILLIS = 500;

/** One swarm for all who look at one channel with the same options; open while anybody looks. */
export class Shared {
  private readonly channel: string;
  private readonly options: SharedOptions;
  private readonly onEnd: () => void;
  private swarm: AnySwarm | null = null;
  private standing: Standing = NOWHERE;
  private readonly lookers = new Set<() => void>();
  private lingering: ReturnType<typeof setTimeout> | undefined;

  constructor(channel: string, options: SharedOptions, onEnd: () => void) {
    this.channel = channel;
    this.options = options;
    this.onEnd = onEnd;
  }

  /** The same value until something changes. */
  readonly look = (): Standing => this.standing;

  /** Calls back after each change, and keeps the swarm open until the result is called. */
  readonly watch = (changed: () => void): (() => void) => {
    clearTimeout(this.lingering);
    this.lookers.add(changed);
    if (this.swarm === null) this.open();
    return () => {
      this.lookers.delete(changed);
      if (this.lookers.size === 0) this.lingering = setTimeout(() => this.end(), LINGER_MILLIS);
    };
  };

  private open(): void {
    const { options } = this;
    const report = reporter(options.onError);
    const swarm: AnySwarm =
      options.client === undefined ? new TabSwarm(this.channel, options) : new Swarm(this.channel, options);
    this.swarm = swarm;
    const resign = (): void => swarm.resign();
    const change = (): void => {
      const { isLeader, leadership, leader, term, members, status } = swarm;
      this.standing = { isLeader, leadership, leader, term, members, status, resign, swarm };
      for (const looker of [...this.lookers]) looker();
    };
    swarm.onElection(change);
    swarm.onDemotion(change);
    swarm.onLeaderChanged(change);
    swarm.onSwarmPresenceChanged(change);
    swarm.onStatusChanged(change);
    change();
    // A TabSwarm reports it by itself, once.
    swarm.connect().catch((error: unknown) => {
      if (options.client !== undefined && swarm.status !== "closed") report(error);
    });
  }

  private end(): void {
    this.onEnd();
    const { swarm } = this;
    this.swarm = null;
    this.standing = NOWHERE;
    void swarm?.close();
  }
}

const all = new Map<string, Shared>();
const clients = new WeakMap<object, number>();
let clientsSeen = 0;

/**
 * The one for this channel and these options. Options are the same if their values are; functions are not compared, so
 * that one written in place does not open a connection each time: those that came first count.
 */
export function shared(channel: string, options: SharedOptions): Shared {
  const name = JSON.stringify([channel, options], (key, value: unknown) => {
    if (key !== "client" || typeof value !== "object" || value === null) return value;
    const number = clients.get(value) ?? ++clientsSeen;
    clients.set(value, number);
    return number;
  });
  let found = all.get(name);
  if (found === undefined) {
    // On a server nobody ever watches, and what is kept there would stay.
    found = new Shared(channel, options, () => all.delete(name));
    if (typeof document !== "undefined") all.set(name, found);
  }
  return found;
}
