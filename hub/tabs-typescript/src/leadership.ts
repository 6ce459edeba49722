import type { Checkpoint, Leadership } from "./api.js";
import type { LeaseDriver } from "./driver.js";
import { within } from "./within.js";

/** The maximum size of a saved state in bytes, as on a hub. */
export const MAX_STATE_BYTES = 48 * 1024;

/** Thrown if a call requires leadership and this tab does not lead now. */
export class NotLeadingError extends Error {
  override readonly name = "NotLeadingError";

  constructor(what: string) {
    super(`${what} requires leadership, but this tab does not lead now`);
  }
}

/** Creates the object of one term. It ends when `signal` aborts or the deadline of the lease passes. */
export function newLeadership(
  term: number,
  checkpoint: Checkpoint | null,
  signal: AbortSignal,
  driver: LeaseDriver,
  deliver: (name: string, data: unknown, term: number) => void,
): Leadership {
  return {
    term,
    signal,
    checkpoint,
    get remainingMillis() {
      return signal.aborted ? 0 : driver.remainingMillis();
    },
    get isLeader() {
      return this.remainingMillis > 0;
    },
    async publish(name, data) {
      if (!this.isLeader) throw new NotLeadingError("publish");
      deliver(name, data, term);
    },
    async save(state) {
      const json = JSON.stringify(state) ?? "null";
      within("the state's JSON size in bytes", new TextEncoder().encode(json).length, 1, MAX_STATE_BYTES);
      if (!this.isLeader || !(await driver.save(term, JSON.parse(json)))) throw new NotLeadingError("save");
    },
  };
}
