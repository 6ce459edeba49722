import { Realtime } from "ably";
import { AblyProvider, ChannelProvider, useChannel, usePresence, usePresenceListener } from "ably/react";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { hubOptions } from "@doyen/swarm";

/** Uses the React hooks of `ably`. The button publishes a message. The page shows the messages and the members. */
const authUrl = "http://localhost:8000/token?channel=hooks";
const client = new Realtime(hubOptions({ authUrl, clientId: "page", endpoint: "localhost", port: 8000, tls: false }));

function Room() {
  const [received, setReceived] = useState<string[]>([]);
  const { publish } = useChannel("hooks", (message) => setReceived((all) => [...all, String(message.data)]));
  usePresence("hooks", "in the page");
  const { presenceData } = usePresenceListener("hooks");
  return (
    <>
      <button onClick={() => void publish("text", "from the page")} />
      <p>received: {received.join(", ")}</p>
      <p>
        present:{" "}
        {presenceData
          .map((member) => `${member.clientId} ${String(member.data)}`)
          .sort()
          .join(", ")}
      </p>
    </>
  );
}

createRoot(document.body.appendChild(document.createElement("main"))).render(
  <AblyProvider client={client}>
    <ChannelProvider channelName="hooks">
      <Room />
    </ChannelProvider>
  </AblyProvider>,
);
