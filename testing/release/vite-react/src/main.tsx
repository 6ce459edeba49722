import { Elector } from "@doyen/elector";
import { SwarmProvider, useLeader as useHubLeader } from "@doyen/swarm/react";
import { FakeSwarm } from "@doyen/swarm/testing";
import { Swarm } from "@doyen/tabs";
import { useLeader } from "@doyen/tabs/react";
import { StrictMode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";

const elector = new Elector({ name: "page", url: location.origin, log: () => {} });
const tabs = new Swarm("orders");
const fake = new FakeSwarm("orders", { clientId: "page" });

function Page() {
  const tab = useLeader(tabs);
  const member = useLeader(fake);
  const [isLeader, setLeader] = useState<boolean>();

  useEffect(() => {
    void tabs.connect();
    void fake.connect().then(() => fake.elect());
    void elector.isLeader().then(setLeader);
  }, []);

  return (
    <p>
      tab: {tab.term}, member: {member.term}, elector: {String(isLeader)}
    </p>
  );
}

/** A component with a hub, which this page does not render. */
export function Orders() {
  return (
    <SwarmProvider options={{ authUrl: "/token", endpoint: "hub.example.com" }}>
      <Leader />
    </SwarmProvider>
  );
}

function Leader() {
  const { leader, isLeader } = useHubLeader("orders");
  return <p>{isLeader ? "this tab leads" : (leader?.id ?? "nobody leads")}</p>;
}

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);
