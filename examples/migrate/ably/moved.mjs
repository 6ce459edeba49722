import { Realtime } from "ably";
import { hub } from "./services.mjs";

const clientId = process.argv[2];
const client = new Realtime({ ...hub, clientId });
const { presence } = client.channels.get("orders");
let leads = false;

// The member with the lowest id leads.
async function elect() {
  const members = await presence.get();
  const first = members.map((member) => member.clientId).sort()[0];
  if (leads || first !== clientId) return;
  await presence.update("leader");
  leads = true;
  console.log(`${clientId} leads`);
}

await presence.subscribe(() => elect().catch((error) => console.error(error.message)));
await presence.enter("follower");

process.once("SIGTERM", () => {
  if (leads) console.log(`${clientId} no longer`);
  client.connection.once("closed", () => process.exit());
  client.close();
});
