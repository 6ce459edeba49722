import { RingSwarm } from "@doyen/swarm/ring";

const ring = new RingSwarm("orders", { key: "my.key:secret", endpoint: "localhost", port: 8000, tls: false });

ring.onElection = async (leadership) => {
  while (leadership.isLeader) {
    console.log(`I lead in term ${leadership.term}`);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
};
ring.onDemotion = (reason) => console.log("no longer leading:", reason);
ring.onLeaderChanged = (leader) => console.log("leader:", leader?.id ?? "nobody");

await ring.connect();
