import { TabSwarm } from "@doyen/swarm/tabs";

/** A tab of the tests. It takes part, ticks while it leads, and records what the tests read. */
const asked = new URLSearchParams(location.search);
const name = asked.get("name") ?? "";
const swarm = new TabSwarm("tabs", {
  key: asked.get("key") ?? "",
  endpoint: "localhost",
  port: Number(asked.get("port")),
  tls: false,
  disableConnectivityCheck: true,
  ttlMillis: 5000,
  settleMillis: 50,
  silentMillis: 5000,
  onError: (error) => kept.errors.push(String(error)),
});
const kept = {
  errors: [] as string[],
  terms: [] as number[],
  losses: [] as string[],
  heard: [] as string[],
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
    heard: kept.heard,
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
  if (message.name !== "tick") kept.heard.push(`${message.name} ${String(message.data)}`);
});
swarm.connect().catch((error: unknown) => kept.errors.push(String(error)));
