import { useState } from "react";
import { createRoot } from "react-dom/client";
import { createApp, h } from "vue";
import { Swarm } from "@doyen/tabs";
import { LeaderOnly, useLeader } from "@doyen/tabs/react";
import { useLeader as useVueLeader } from "@doyen/tabs/vue";

/** Shows the term of one swarm with React and with Vue. The button unmounts the React component. */
const swarm = new Swarm("frameworks");

function Page() {
  const [mounted, setMounted] = useState(true);
  return (
    <>
      <button id="mount" onClick={() => setMounted(!mounted)} />
      {mounted && <Leader />}
    </>
  );
}

function Leader() {
  const { isLeader, term, status } = useLeader(swarm);
  return (
    <p id="react">
      {String(isLeader)} {term} {status}{" "}
      <LeaderOnly swarm={swarm}>{(leadership) => `in ${leadership.term}`}</LeaderOnly>
    </p>
  );
}

const main = document.body.appendChild(document.createElement("main"));
createRoot(document.body.appendChild(document.createElement("main"))).render(<Page />);
createApp({
  setup() {
    const state = useVueLeader(swarm);
    return () => h("p", { id: "vue" }, `${state.value.isLeader} ${state.value.term} ${state.value.status}`);
  },
}).mount(main);
Object.assign(globalThis, { swarm });
