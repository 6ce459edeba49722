/** The composable `useLeader` for Vue 3. */
import { onScopeDispose, shallowRef, type ShallowRef } from "vue";
import type { AnySwarm, LeaderSnapshot } from "./api.js";
import { NOWHERE, watchLeader } from "./leader-snapshot.js";

export type { LeaderSnapshot } from "./api.js";

/**
 * Connects the swarm and returns a ref of its state. Call it in `setup`. The ref stops when the component unmounts.
 *
 * The rendered state can be out of date, so check `leadership.isLeader` before each act.
 */
export function useLeader(swarm: AnySwarm): Readonly<ShallowRef<LeaderSnapshot>> {
  const state = shallowRef(NOWHERE);
  onScopeDispose(watchLeader(swarm, (snapshot) => (state.value = snapshot)));
  return state;
}
