/**
 * Leads a channel of the hub at the port in the first argument until the hub has answered a ping. Then closes the
 * swarm.
 *
 * Prints a JSON object when the process ends by itself. It contains the resources that prevented the end after all
 * sockets had closed, and the milliseconds between the call of `close` and the end. The second argument is a process
 * id. If it is present, the program stops this process before it closes the swarm.
 */
import { Swarm } from "@doyen/swarm";
import { subscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { writeSync } from "node:fs";
import type { Socket } from "node:net";
import { KEY } from "./program.js";
import { until } from "./until.js";

const sockets: Socket[] = [];
subscribe("net.client.socket", (message) => void sockets.push((message as { socket: Socket }).socket));
const before = process.getActiveResourcesInfo();

const port = Number(process.argv[2]);
const swarm = new Swarm("leaver", { key: KEY, endpoint: "localhost", port, tls: false });
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

const start = performance.now();
let left: string[] | null = null;
process.on("exit", () => {
  const exitMillis = Math.round(performance.now() - start);
  writeSync(process.stdout.fd, JSON.stringify({ left, exitMillis, sockets: sockets.length }));
});
if (process.argv[3] !== undefined) process.kill(Number(process.argv[3]), "SIGSTOP");
await swarm.close();
await Promise.all(sockets.map((socket) => (socket.closed ? null : once(socket, "close"))));
left = process.getActiveResourcesInfo();
for (const resource of before) if (left.includes(resource)) left.splice(left.indexOf(resource), 1);
