import { Swarm } from "@doyen/swarm";
import { Realtime } from "ably";
import { ably, hub } from "./services.mjs";

const clientId = process.argv[2];
const client = new Realtime({ ...ably, clientId });
const { presence } = client.channels.get("orders");
const swarm = new Swarm("orders", { ...hub, clientId });
swarm.onElection = () => console.log(`${clientId} leads`);
swarm.onDemotion = () => console.log(`${clientId} no longer`);
let leadsThere = false;

// The leader on Ably campaigns on the hub. The leader on the hub leads.
async function elect() {
  const members = await presence.get();
  const first = members.map((member) => member.clientId).sort()[0];
  if (leadsThere || first !== clientId) return;
  await presence.update("leader");
  leadsThere = true;
  await swarm.connect();
}

await presence.subscribe(() => elect().catch((error) => console.error(error.message)));
await presence.enter("follower");

process.once("SIGTERM", async () => {
  await swarm.close();
  client.connection.once("closed", () => process.exit());
  client.close();
});
