import { connected, SDKS } from "./sdk.js";

// Runs in its own process, because Node reads NODE_EXTRA_CA_CERTS only at its start. Connects two clients of one SDK to
// the hub over TLS, and prints the message that the second client receives.
const [name, url] = process.argv.slice(2);
const sdk = SDKS.find((each) => each.name === name);
if (sdk === undefined || url === undefined) throw new Error(`usage: securepeers SDK URL; the SDK is ${name}`);

const hub = new URL(url);
const [ann, bob] = ["ann", "bob"].map((id) => sdk.connect(hub, id, { tls: true, tlsPort: Number(hub.port) }));
if (ann === undefined || bob === undefined) throw new Error("two clients are needed");
await Promise.all([connected(ann), connected(bob)]);
const channel = bob.channels.get("secure");
await channel.attach();
const received = new Promise<unknown>((resolve) => void channel.subscribe((message) => resolve(message.data)));
await ann.channels.get("secure").publish("text", "hello");
console.log(await received);
// The REST request of the history also uses TLS.
await ann.channels.get("secure").history();
ann.close();
bob.close();
