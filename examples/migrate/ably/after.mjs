import { Swarm } from "@doyen/swarm";
import { hub } from "./services.mjs";

const clientId = process.argv[2];
const swarm = new Swarm("orders", { ...hub, clientId });
swarm.onElection = () => console.log(`${clientId} leads`);
swarm.onDemotion = () => console.log(`${clientId} no longer`);
await swarm.connect();

process.once("SIGTERM", () => swarm.close());
