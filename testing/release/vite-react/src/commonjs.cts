import { Elector, type Leader } from "@doyen/elector";
import { Swarm } from "@doyen/swarm";
import { TabSwarm } from "@doyen/swarm/tabs";
import { Calls } from "@doyen/tabs/calls";

export const leader: Promise<Leader> = new Elector({ name: "me", url: "localhost:4040" }).leader("orders");
export const names: string[] = [Swarm, TabSwarm, Calls].map((each) => each.name);
