/** The module that the hub serves as /swarm.js. */
export * from "@doyen/swarm";
export { TabSwarm, UnansweredError, type TabOptions } from "@doyen/swarm/tabs";
