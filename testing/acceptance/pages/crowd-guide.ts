import { Realtime } from "ably";
import type { SdkChannel } from "../src/sdk.js";
import { SORTINGS, TutorialPeer } from "../src/tutorial.js";
import { leaderSeen, options } from "./crowd.js";

const clientId = crypto.randomUUID();
const channel = new Realtime({ ...options, clientId }).channels.get("crowd") as unknown as SdkChannel;
await channel.presence.subscribe((member) => {
  if (member.action !== "leave" && member.data === "leader") leaderSeen();
});
await new TutorialPeer(channel, clientId, SORTINGS[0]!).join();
