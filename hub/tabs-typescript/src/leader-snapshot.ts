import type { AnySwarm, LeaderSnapshot } from "./api.js";

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
