import { hubOptions } from "@doyen/swarm";
import { Realtime } from "ably";
import ably1 from "ably-1";

/**
 * The program of a published guide, which knows no terms and no fences.
 *
 * The member with the lowest client id sets its presence data to "leader" and then publishes a counter. As in the
 * guide, a leader never stops: it ignores presence events about itself and the rejections of its messages.
 */
const params = new URLSearchParams(location.search);
const param = (name: string): string => params.get(name) ?? "";
const clientId = param("clientId");
const options = {
  key: param("key"),
  clientId,
  port: Number(param("port")),
  tls: false,
  ...(params.has("grace") && { transportParams: { remainPresentFor: Number(param("grace")) } }),
};

type Channel = ReturnType<Realtime["channels"]["get"]>;
const client =
  param("sdk") === "ably 1.2.50"
    ? new ably1.Realtime.Promise({
        ...options,
        restHost: "localhost",
        realtimeHost: "localhost",
        transports: ["web_socket"],
        disableConnectivityCheck: true,
      })
    : new Realtime(hubOptions({ ...options, endpoint: "localhost" }));
const channel = client.channels.get(param("channel")) as Channel;

let count = 0;
const kept = { elections: 0, rejections: [] as string[] };
Object.assign(globalThis, { kept });

async function ensureLeader(): Promise<void> {
  const members = await channel.presence.get();
  if (members.some((member) => member.data === "leader")) return;
  const first = [...members].sort((a, b) => (a.clientId < b.clientId ? -1 : 1))[0];
  if (first?.clientId !== clientId) return;
  await channel.presence.update("leader");
  onElection();
}

function onElection(): void {
  kept.elections++;
  setInterval(
    () => {
      count++;
      channel.publish("count", String(count)).catch((error: { code: number; message: string }) => {
        if (error.code === 40911) kept.rejections.push(error.message);
      });
    },
    Number(param("interval")),
  );
}

// A late echo of its own count would set a busy leader back, so that it repeats numbers.
await channel.subscribe("count", (message) => {
  if (message.clientId !== clientId) count = Number(message.data);
});
// If the hub rejects a claim, another member leads.
await channel.presence.subscribe(() => void ensureLeader().catch(() => {}));
await channel.presence.enter();
