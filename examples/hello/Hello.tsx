import { useEffect, useState } from "react";
import { SwarmProvider, useLeader } from "@doyen/swarm/react";

const options = { authUrl: "http://localhost:8000/token", endpoint: "localhost", port: 8000, tls: false };

export function Hello() {
  return (
    <SwarmProvider options={options}>
      <Orders />
    </SwarmProvider>
  );
}

function Orders() {
  const { leadership, leader, members, resign } = useLeader("orders");
  const [acts, setActs] = useState(0);

  useEffect(() => {
    if (leadership === null) return; // another tab or another device leads
    const timer = setInterval(() => {
      if (leadership.isLeader) setActs((n) => n + 1); // the rendered state may be outdated: check before each act
    }, 200);
    return () => clearInterval(timer);
  }, [leadership]);

  if (leadership === null) return <p>{leader === null ? "nobody leads" : `one of ${members.length} leads`}</p>;
  return (
    <p>
      this tab leads in term {leadership.term}, and has acted {acts} times <button onClick={resign}>resign</button>
    </p>
  );
}
