import { TabSwarm } from "@doyen/swarm/tabs";
import { leaderSeen, options } from "./crowd.js";

const swarm = new TabSwarm("crowd", options);
swarm.onLeaderChanged = (leader) => leader !== null && leaderSeen();
await swarm.connect();
