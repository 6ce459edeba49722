import type { AnySwarm, Leadership, SwarmLeader, SwarmStatus } from "./api.js";

/** The state of a swarm for display. The object is immutable, and each change creates a new object. */
export interface LeaderSnapshot {
  /** True if this member led when this object was created. Check `leadership.isLeader` before you act. */
  readonly isLeader: boolean;
  readonly leadership: Leadership | null;
  readonly leader: SwarmLeader | null;
  readonly term: number | null;
  readonly status: SwarmStatus;
}

/** The state on a server and before the swarm has connected. */
export const NOWHERE: LeaderSnapshot = {
  isLeader: false,
  leadership: null,
  leader: null,
  term: null,
  status: "connecting",
};

/**
 * Connects the swarm, and calls `changed` at once and after each change of its state. Returns a function that stops
 * this. The swarm stays open. On a server, the state never changes, and the swarm does not connect.
 */
export function watchLeader(swarm: AnySwarm, changed: (snapshot: LeaderSnapshot) => void): () => void {
  const emit = (): void => {
    const { isLeader, leadership, leader, term, status } = swarm;
    changed({ isLeader, leadership, leader, term, status });
  };
  if (typeof document === "undefined") {
    changed(NOWHERE);
    return () => {};
  }
  emit();
  const stops = [
    swarm.onElection(emit),
    swarm.onDemotion(emit),
    swarm.onLeaderChanged(emit),
    swarm.onStatusChanged(emit),
  ];
  swarm.connect().catch((error: unknown) => console.error("swarm:", error));
  return () => {
    for (const stop of stops) stop();
  };
}
