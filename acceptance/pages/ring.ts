import { RingSwarm } from "@doyen/swarm/ring";

/** A page of the tests: a member of the ring that the examples are on, which tells the tests what it knows. */
const asked = new URLSearchParams(location.search);
const errors: string[] = [];
const terms: number[] = [];
const losses: string[] = [];
const ring = new RingSwarm(asked.get("channel") ?? "orders", {
  algorithm: asked.get("algorithm") === "peterson" ? "peterson" : "chang-roberts",
  key: asked.get("key") ?? "",
  clientId: asked.get("name") ?? "",
  endpoint: "localhost",
  port: Number(asked.get("port")),
  tls: false,
  disableConnectivityCheck: true,
  followMillis: Number(asked.get("follow") ?? 5000),
  // Below that of the examples: they lead when the one who does is gone.
  priority: 50,
  onError: (error) => errors.push(String(error)),
});
Object.assign(globalThis, {
  ring,
  shown: () => ({
    name: ring.id,
    leads: ring.isLeader,
    leader: ring.leader?.id ?? "",
    term: ring.term ?? 0,
    members: ring.members.length,
    status: ring.status,
    terms,
    losses,
    errors,
  }),
});
ring.onElection = ({ term }) => terms.push(term);
ring.onDemotion = (reason) => void losses.push(reason);
ring.connect().catch((error: unknown) => errors.push(String(error)));
