import { ModelClient, type Ranking } from "./client.js";
import { ModelHub } from "./hub.js";
import { Random } from "./random.js";
import { Timeline } from "./timeline.js";
import { SETTINGS } from "./world.js";

export interface TransfersOutcome {
  /** Texts that describe the violations of rule K19. */
  readonly faults: readonly string[];
  /** The number of successors that were killed just before the hub named them. */
  readonly absent: number;
}

const CLIENTS = 8;
const TRANSFERS = 6;
const EVERY = 12_000;
/**
 * The maximum time without a leader, in milliseconds. In the worst case, the successor is killed. All other members
 * then wait for half a ttl, and after that for their settle time. The slowest clock and the longest settle time
 * determine this maximum.
 */
const LEADERLESS_MAX = 6500;

/** Runs one seeded scenario on a hub that grants claims. The only fault is that some successors are killed. */
export function runTransfers(ranking: Ranking, seed: number): TransfersOutcome {
  const random = new Random(seed);
  const time = new Timeline();
  const hub = new ModelHub(time, random, true);
  const clients = Array.from({ length: CLIENTS }, (_, i) => {
    return new ModelClient(`c${i}`, SETTINGS, time, hub, random, ranking);
  });
  for (const client of clients) time.at(random.between(0, 400), () => client.connect());

  const faults: string[] = [];
  let absent = 0;
  let leaderlessSince: number | null = null;
  for (let i = 1; i <= TRANSFERS; i++) {
    time.at(i * EVERY + random.between(0, 2000), () => {
      const others = clients.filter((client) => client.alive && !client.leads);
      const successor = others[Math.floor(random.between(0, others.length))]!;
      const gone = random.chance(0.2);
      if (gone) successor.kill();
      absent += Number(gone);
      const refused = hub.refusedForSuccessor;
      const early = hub.refusedEarly;
      hub.transfer(successor.id);
      time.after(5000, () => {
        if (gone) return;
        if (!successor.leads) faults.push(`transfer ${i}: ${successor.id} does not lead`);
        if (hub.refusedEarly > early) faults.push(`transfer ${i}: a member claimed before the leader had stopped`);
        if (hub.refusedForSuccessor > refused)
          faults.push(`transfer ${i}: another member claimed instead of ${successor.id}`);
      });
    });
  }
  const watch = () => {
    const leaders = clients.filter((client) => client.leads).length;
    if (leaders > 1) faults.push(`two leaders at ${time.now} ms`);
    if (leaders > 0) leaderlessSince = null;
    else leaderlessSince ??= time.now;
    if (leaderlessSince !== null && time.now - leaderlessSince > LEADERLESS_MAX) {
      faults.push(`no member had led for ${LEADERLESS_MAX} ms at ${time.now} ms`);
      leaderlessSince = time.now;
    }
  };
  const tick = () => time.after(5, tick);
  tick();
  time.runUntil((TRANSFERS + 2) * EVERY, watch);
  return { faults, absent };
}
