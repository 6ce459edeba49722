import type * as api from "@doyen/tabs/api";
import type { AnySwarm, SwarmMember } from "./any-swarm.js";
import type { WithClient } from "./options.js";
import { Swarm } from "./swarm.js";
import { TabSwarm, type TabOptions } from "./tab-swarm.js";

/** The state that the hooks return. If `leader.self` is true, the leader is this browser, in any of its tabs. */
export interface LeaderSnapshot extends api.LeaderSnapshot {
  readonly members: readonly SwarmMember[];
  /** Resigns if this tab leads. */
  readonly resign: () => void;
  /**
   * The swarm, with which the application publishes and subscribes. The value is null on a server and before the
   * first effect has run.
   */
  readonly swarm: AnySwarm | null;
}

export type SharedOptions = TabOptions | WithClient;

/** The state on a server and before the first effect has run. */
export const NOWHERE: LeaderSnapshot = {
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
 * The milliseconds for which a swarm stays open after its last component has unmounted. Components often unmount and
 * mount again at once, and React's strict mode mounts each component twice. The connection should stay open in these
 * cases.
 */
const LINGER_MILLIS = 500;

/** A swarm that all components with the same channel and options share. The swarm is open while a component uses it. */
export class Shared {
  private readonly channel: string;
  private readonly options: SharedOptions;
  private readonly onEnd: () => void;
  private swarm: AnySwarm | null = null;
  private snapshot: LeaderSnapshot = NOWHERE;
  private readonly watchers = new Set<() => void>();
  private lingering: ReturnType<typeof setTimeout> | undefined;

  constructor(channel: string, options: SharedOptions, onEnd: () => void) {
    this.channel = channel;
    this.options = options;
    this.onEnd = onEnd;
  }

  /** Returns the current state. The object stays the same until a value changes. */
  readonly getSnapshot = (): LeaderSnapshot => this.snapshot;

  /** Calls `changed` after each change. The swarm stays open at least until the returned function is called. */
  readonly watch = (changed: () => void): (() => void) => {
    clearTimeout(this.lingering);
    this.watchers.add(changed);
    if (this.swarm === null) this.open();
    return () => {
      this.watchers.delete(changed);
      if (this.watchers.size === 0) this.lingering = setTimeout(() => this.end(), LINGER_MILLIS);
    };
  };

  private open(): void {
    const { options } = this;
    const swarm: AnySwarm =
      options.client === undefined ? new TabSwarm(this.channel, options) : new Swarm(this.channel, options);
    this.swarm = swarm;
    const resign = (): void => swarm.resign();
    const change = (): void => {
      const { isLeader, leadership, leader, term, members, status } = swarm;
      this.snapshot = { isLeader, leadership, leader, term, members, status, resign, swarm };
      for (const watcher of [...this.watchers]) watcher();
    };
    swarm.onElection(change);
    swarm.onDemotion(change);
    swarm.onLeaderChanged(change);
    swarm.onSwarmPresenceChanged(change);
    swarm.onStatusChanged(change);
    change();
    swarm.connect().catch(() => {}); // The swarm itself passes this error to `onError`.
  }

  private end(): void {
    this.onEnd();
    const { swarm } = this;
    this.swarm = null;
    this.snapshot = NOWHERE;
    void swarm?.close();
  }
}

const all = new Map<string, Shared>();
const clients = new WeakMap<object, number>();
let clientsSeen = 0;

/**
 * Returns the shared swarm for this channel and these options.
 *
 * Options are the same if their values are the same. Functions are not compared, because an inline function is new
 * at each render. The options of the first caller apply.
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
    // On a server no component watches the swarm, so an entry would never be removed.
    found = new Shared(channel, options, () => all.delete(name));
    if (typeof document !== "undefined") all.set(name, found);
  }
  return found;
}
