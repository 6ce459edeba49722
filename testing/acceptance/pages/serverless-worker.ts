import { Swarm } from "@doyen/tabs";

/** A page whose worker campaigns. The page itself does not take part. */
if (typeof document === "undefined") {
  const swarm = new Swarm("worker room");
  const report = () => postMessage({ leads: swarm.isLeader, term: swarm.term });
  swarm.onElection = (leadership) => void leadership.save("worker").then(report);
  swarm.onLeaderChanged = report;
  void swarm.connect();
} else {
  const worker = new Worker("/serverless-worker.js", { type: "module" });
  worker.onmessage = ({ data }) => Object.assign(globalThis, { worker, reported: data as unknown });
}
