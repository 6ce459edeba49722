import { Swarm } from "@doyen/swarm";
import { leaderSeen, options } from "./crowd.js";

const swarm = new Swarm("crowd", options);
swarm.onLeaderChanged = (leader) => leader !== null && leaderSeen();
await swarm.connect();
