/** The function `injectLeader` for Angular 17 or newer. */
import { DestroyRef, inject, signal, type Signal } from "@angular/core";
import type { AnySwarm, LeaderSnapshot } from "./api.js";
import { NOWHERE, watchLeader } from "./leader-snapshot.js";

export type { LeaderSnapshot } from "./api.js";

/**
 * Connects the swarm and returns a signal of its state. Call it in an injection context, for example in a field of a
 * component or of a service. The signal stops when the component or the service is destroyed.
 *
 * The rendered state can be out of date, so check `leadership.isLeader` before each act.
 */
export function injectLeader(swarm: AnySwarm): Signal<LeaderSnapshot> {
  const state = signal(NOWHERE);
  inject(DestroyRef).onDestroy(watchLeader(swarm, (snapshot) => state.set(snapshot)));
  return state.asReadonly();
}
