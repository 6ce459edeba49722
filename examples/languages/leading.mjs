import { setTimeout as sleep } from "node:timers/promises";
import { Elector } from "@doyen/elector";

const elector = new Elector();
for (;;) {
  const leadership = await elector.leading();
  console.log(`${elector.name} leads`);
  while (leadership.isLeading) {
    console.log("the leader's work");
    await sleep(1000, undefined, { signal: leadership.signal }).catch(() => {});
  }
  console.log(`no longer: ${leadership.signal.reason.message}`);
}
