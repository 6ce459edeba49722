/** What the hub serves as /swarm.js. */
export * from "@doyen/swarm";
