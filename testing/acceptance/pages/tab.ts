import { TabSwarm } from "@doyen/swarm/tabs";

/**
 * The script of each tab in tabs.test.ts. The tab campaigns, publishes ticks while it leads, and records its state for
 * the tests.
 */
const params = new URLSearchParams(location.search);
const name = params.get("name") ?? "";
const swarm = new TabSwarm("tabs", {
  key: params.get("key") ?? "",
  endpoint: "localhost",
  port: Number(params.get("port")),
  tls: false,
  ttlMillis: 5000,
  settleMillis: 50,
  silentMillis: 5000,
  onError: (error) => kept.errors.push(String(error)),
});
const kept = {
  errors: [] as string[],
  terms: [] as number[],
  losses: [] as string[],
  received: [] as string[],
  restored: false,
  swarm,
};
Object.assign(globalThis, {
  kept,
  shown: () => ({
    name,
    holds: swarm.holdsSocket,
    leads: swarm.isLeader,
    self: swarm.leader?.self ?? false,
    term: swarm.term ?? 0,
    members: swarm.members.length,
    status: swarm.status,
    id: swarm.id,
    visible: document.visibilityState === "visible",
    terms: kept.terms,
    losses: kept.losses,
    received: kept.received,
    errors: kept.errors,
    restored: kept.restored,
  }),
});
window.addEventListener("pageshow", (event) => (kept.restored ||= event.persisted));

swarm.onElection = async (leadership) => {
  kept.terms.push(leadership.term);
  while (leadership.isLeader) {
    await leadership.publish("tick", name).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
};
swarm.onDemotion = (reason) => void kept.losses.push(reason);
swarm.subscribe((message) => {
  if (message.name !== "tick") kept.received.push(`${message.name} ${String(message.data)}`);
});
swarm.connect().catch((error: unknown) => kept.errors.push(String(error)));
