import { displayName } from "./names.js";
import type { Led, Leadership } from "./snapshot.js";

/** The maximum number of changes that are described one by one. A screen reader needs seconds for a sentence. */
const MAX_CHANGES = 3;

/** Describes the leaders that have changed between two snapshots; empty if no leader has changed. */
export function leaderChanges(before: Led, after: Led): string {
  const led = present(before);
  const leads = present(after);
  const changes: string[] = [];
  for (const [election, { id, term }] of leads) {
    if (led.get(election)?.term !== term) changes.push(`${displayName(id)} leads ${election} in term ${term}.`);
  }
  for (const { election, term, to } of after.leaderships) {
    const ended = to !== undefined && led.get(election)?.term === term;
    if (ended && !leads.has(election)) changes.push(`Nobody leads ${election}.`);
  }
  return changes.length > MAX_CHANGES ? `The leaders of ${changes.length} elections have changed.` : changes.join(" ");
}

function present({ leaderships }: Led): Map<string, Leadership> {
  return new Map(leaderships.filter(({ to }) => to === undefined).map((each) => [each.election, each]));
}
