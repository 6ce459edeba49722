import { FakeSwarm } from "@doyen/swarm/testing";

const swarm = new FakeSwarm("orders", { clientId: "ann" });
const events: unknown[] = [];
swarm.onElection = ({ term }) => events.push(term);
swarm.onDemotion = (reason) => events.push(reason);

await swarm.connect();
await swarm.elect();
swarm.demote("expired");
await swarm.elect();
swarm.freeze();
console.log(events); // [ 1, 'expired', 2, 'suspended' ]
