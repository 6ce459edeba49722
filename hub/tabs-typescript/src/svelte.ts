/** The store `leaderStore` for Svelte 4 and 5. It follows Svelte's store contract, and needs no import. */
import type { AnySwarm, LeaderSnapshot } from "./api.js";
import { watchLeader } from "./leader-snapshot.js";

export type { LeaderSnapshot } from "./api.js";

/**
 * Returns a readable store of the swarm's state. The first subscription connects the swarm.
 *
 * The rendered state can be out of date, so check `leadership.isLeader` before each act.
 */
export function leaderStore(swarm: AnySwarm): {
  subscribe(run: (snapshot: LeaderSnapshot) => void): () => void;
} {
  return { subscribe: (run) => watchLeader(swarm, run) };
}
