import { TabSwarm } from "@doyen/swarm/tabs";

const authUrl = "http://localhost:8000/token";
const swarm = new TabSwarm("orders", { authUrl, endpoint: "localhost", port: 8000, tls: false });
const show = (text: string) => document.body.append(text, document.createElement("br"));

swarm.onElection = ({ term }) => show(`this tab leads in term ${term}`); // in one tab of one browser
swarm.onDemotion = (reason) => show(`no longer: ${reason}`);
swarm.onLeaderChanged = (leader) => show(leader?.self ? "this browser leads" : `leader: ${leader?.id ?? "nobody"}`);
swarm.subscribe((message) => show(`${message.name}: ${message.data}`)); // in all tabs
await swarm.connect();
await swarm.send("hello", swarm.holdsSocket ? "by my own socket" : "by another tab's"); // from any tab
