import { Elector } from "@doyen/elector";

const elector = new Elector();
console.log((await elector.isLeader()) ? "I lead" : "another leads");
for await (const leader of elector.watch({ signal: AbortSignal.timeout(60_000) })) {
  console.log(leader.known ? leader.name || "nobody" : "not known");
}
