import type { AnySwarm } from "@doyen/tabs";
import { Calls } from "@doyen/tabs/calls";
import { openSwarm } from "@doyen/tabs/open";
import type { Swarm } from "@doyen/swarm";
import type { TabSwarm } from "@doyen/swarm/tabs";

/** The script of each page in upgraded-tabs.test.ts. The query `hub` contains the address of the hub, or is missing. */
const params = new URLSearchParams(location.search);
const name = params.get("name") ?? "";
const options = { hub: params.get("hub") ?? undefined, key: params.get("key") ?? undefined };
const swarm = await openSwarm("upgraded", options);
const calls = new Calls(swarm);
calls.onRequest = ({ method, args }) => ({ method, args, by: name });
Object.assign(globalThis, {
  swarm,
  calls,
  shown: () => ({ leads: swarm.isLeader, leader: swarm.leader?.id ?? null, term: swarm.term, status: swarm.status }),
});
await swarm.connect();

/** The compiler checks here that the swarms of both packages have the same API. */
export const same = (one: Swarm, other: TabSwarm): AnySwarm[] => [one, other];
