import type { Settings } from "../../src/ranking.js";
import { ModelClient, type Ranking } from "./client.js";
import { ModelHub } from "./hub.js";
import { Random } from "./random.js";
import { Timeline } from "./timeline.js";

export interface Outcome {
  /** The time in which two or more members led at once, in milliseconds. */
  readonly dualMillis: number;
  readonly leaderlessMillis: number;
  /** The ids of the members that lead at the end, long after the last fault. */
  readonly leadersAtEnd: readonly string[];
  readonly alive: number;
  /** True if all living members name the same leader at the end. */
  readonly agreed: boolean;
  /** True if a member began to lead in a term that was not greater than all earlier terms. */
  readonly termReused: boolean;
  readonly elections: number;
}

/** The usual settings of a page. */
export const SETTINGS: Settings = {
  prio: 0,
  candidate: true,
  ttlMillis: 5000,
  settleMillis: 500,
  exclusiveSettleMillis: 50,
  cooldownMillis: 5000,
  backoffMillis: 250,
  backoffMaxMillis: 5000,
  answerMillis: 10_000,
};

const CLIENTS = 5;
const FAULTS_END = 70_000;
const END = 150_000;

/** Runs one seeded scenario of five pages on one channel. After 70 s of faults, the pages recover for 80 s. */
export function run(ranking: Ranking, seed: number, exclusive: boolean): Outcome {
  const random = new Random(seed);
  const time = new Timeline();
  const hub = new ModelHub(time, random, exclusive);
  const clients = Array.from({ length: CLIENTS }, (_, i) => {
    const settings = { ...SETTINGS, prio: random.chance(0.2) ? 1 : 0 };
    return new ModelClient(`c${i}`, settings, time, hub, random, ranking);
  });
  for (const client of clients) {
    time.at(random.chance(0.7) ? random.between(0, 400) : random.between(0, 20_000), () => client.connect());
    for (let i = 0; i < 2; i++) {
      // Half of the faults hit the leader, because such a fault is the most likely to break a rule.
      const victim = () => (random.chance(0.5) ? (clients.find((c) => c.leads) ?? client) : client);
      time.at(random.between(3000, FAULTS_END - 25_000), () => fault(victim(), random));
    }
  }

  // Admin commands have their own random generator, so the faults are the same with and without these commands.
  const commands = new Random(seed + 1_000_000);
  for (let i = 0; i < 2; i++) {
    const successor = clients[Math.floor(commands.between(0, CLIENTS))]!;
    time.at(commands.between(3000, FAULTS_END), () => hub.transfer(successor.id));
  }

  let dualMillis = 0;
  let leaderlessMillis = 0;
  let last = 0;
  let termReused = false;
  let elections = 0;
  let greatest = 0;
  const led = new Map<ModelClient, number>();
  const count = () => clients.reduce((n, client) => n + Number(client.leads), 0);
  // A leadership begins only at an event, and ends at an event or by the clock. A check after every event and
  // every 5 ms is therefore sufficient.
  const watch = () => {
    const leaders = count();
    if (leaders > 1) dualMillis += Math.max(time.now - last, 0.001);
    if (leaders === 0 && time.now > 2000 && clients.some((c) => c.alive)) leaderlessMillis += time.now - last;
    last = time.now;
    for (const client of clients) {
      const term = client.state.leadingTerm;
      if (term === null || led.get(client) === term) continue;
      led.set(client, term);
      elections++;
      if (exclusive && term <= greatest) termReused = true;
      greatest = Math.max(greatest, term);
    }
  };
  const tick = () => time.after(5, tick);
  tick();
  time.runUntil(END, watch);

  const alive = clients.filter((client) => client.alive);
  const leaders = alive.filter((client) => client.leads);
  const names = new Set(alive.map((c) => `${c.state.shown?.key} ${c.state.shown?.term}`));
  return {
    dualMillis,
    leaderlessMillis,
    leadersAtEnd: leaders.map((client) => client.id),
    alive: alive.length,
    agreed: names.size <= 1,
    termReused,
    elections,
  };
}

function fault(client: ModelClient, random: Random): void {
  const choice = random.next();
  if (choice < 0.4) client.cut(random.between(500, 45_000), random.chance(0.4));
  else if (choice < 0.5) client.kill();
  else if (choice < 0.75) client.freeze(random.between(1000, 40_000), random.chance(0.3));
  else if (choice < 0.9) client.resign();
  else client.close();
}
