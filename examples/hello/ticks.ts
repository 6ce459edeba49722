import { Swarm } from "@doyen/swarm";

const authUrl = "http://localhost:8000/token";
const swarm = new Swarm("orders", { authUrl, endpoint: "localhost", port: 8000, tls: false });

swarm.onElection = async (leadership) => {
  let n = (leadership.checkpoint?.state as number | undefined) ?? 0;
  while (leadership.isLeader) {
    await leadership.publish("tick", { n: ++n }); // the hub rejects it if another member leads
    await leadership.save(n); // the next leader continues here
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
};
swarm.onDemotion = (reason) => console.log("no longer leading:", reason);
swarm.subscribe((message) => message.name === "tick" && console.log(message.name, message.data));

await swarm.connect();
