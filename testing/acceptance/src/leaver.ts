/**
 * Leads a channel of the hub at the port in the first argument until a ping is answered. Then closes the swarm, and
 * prints the resources that still prevent the exit of this process, as a JSON array.
 */
import { Swarm } from "@doyen/swarm";
import { subscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import type { Socket } from "node:net";
import { KEY } from "./program.js";
import { until } from "./until.js";

const sockets: Socket[] = [];
subscribe("net.client.socket", (message) => sockets.push((message as { socket: Socket }).socket));
const before = process.getActiveResourcesInfo();

const swarm = new Swarm("leaver", {
  key: KEY,
  endpoint: "localhost",
  port: Number(process.argv[2]),
  tls: false,
});
const elected = new Promise((resolve) => swarm.onElection(resolve));
await swarm.connect();
await elected;
let remainingMillis = Infinity;
await until(
  "the hub has answered a ping",
  () => {
    const last = remainingMillis;
    remainingMillis = swarm.remainingMillis;
    return [last, remainingMillis];
  },
  ([last, now]) => now! > last!,
);
await swarm.close();
await Promise.all(sockets.map((socket) => (socket.closed ? null : once(socket, "close"))));
const left = process.getActiveResourcesInfo();
for (const resource of before) if (left.includes(resource)) left.splice(left.indexOf(resource), 1);
console.log(JSON.stringify(left));
