import { Swarm } from "@doyen/tabs";
import { Calls } from "@doyen/tabs/calls";

/** The script of each tab in serverless-tabs.test.ts. The tab campaigns, and records when its own `isLeader` is true. */
const params = new URLSearchParams(location.search);
const name = params.get("name") ?? "";
const swarm = new Swarm(params.get("room") ?? "room", {
  ttlMillis: Number(params.get("ttlMillis") ?? 5000),
  cooldownMillis: Number(params.get("cooldownMillis") ?? 5000),
  onError: (error) => kept.errors.push(String(error)),
});
const calls = new Calls(swarm);
const kept = {
  errors: [] as string[],
  terms: [] as number[],
  losses: [] as string[],
  restored: false,
};
/**
 * The times of this tab's leaderships by the wall clock, which all tabs share: term, first and last time. A page that
 * the browser loads again continues the list.
 */
const spans: { term: number; from: number; to: number }[] = JSON.parse(localStorage.getItem(`spans ${name}`) ?? "[]");
const wallMillis = (): number => performance.timeOrigin + performance.now();
const look = (): void => {
  const { term } = swarm;
  if (!swarm.isLeader || term === null) return;
  const last = spans.at(-1);
  if (last?.term === term) last.to = wallMillis();
  else spans.push({ term, from: wallMillis(), to: wallMillis() });
  localStorage.setItem(`spans ${name}`, JSON.stringify(spans));
};
setInterval(look, 5);
Object.assign(globalThis, {
  swarm,
  calls,
  hang: (millis: number) => {
    setTimeout(() => {
      const end = performance.now() + millis;
      while (performance.now() < end) look();
      look();
    });
  },
  shown: () => ({
    id: swarm.id,
    leads: swarm.isLeader,
    leader: swarm.leader?.id ?? null,
    term: swarm.term,
    status: swarm.status,
    checkpoint: swarm.leadership?.checkpoint?.state ?? null,
    ...kept,
  }),
});
window.addEventListener("pageshow", (event) => (kept.restored ||= event.persisted));
swarm.onElection = (leadership) => {
  kept.terms.push(leadership.term);
  look();
  void leadership.save(name).catch(() => {});
};
swarm.onDemotion = (reason) => void kept.losses.push(reason);
calls.onRequest = ({ method, args }) => ({ method, args, by: name });
swarm.connect().catch((error: unknown) => kept.errors.push(String(error)));
