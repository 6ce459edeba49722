import { StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import { LeaderOnly } from "@doyen/swarm/react";
import { Hello } from "../../../examples/hello/Hello.js";

/** The example in strict mode, beside a second user of the same swarm. The button mounts and unmounts it. */
function Page() {
  const [second, setSecond] = useState(true);
  return (
    <StrictMode>
      <Hello />
      <button id="second" onClick={() => setSecond(!second)} />
      {second && <Second />}
    </StrictMode>
  );
}

function Second() {
  // Defined inline, because a function that is new at each render must not open another connection.
  const options = { key: "my.key:secret", endpoint: "localhost", port: 8000, tls: false, onError: () => {} };
  return (
    <LeaderOnly channel="orders" options={options} fallback={<i>follows</i>}>
      {({ term }) => <b>{`only in term ${term}`}</b>}
    </LeaderOnly>
  );
}

createRoot(document.body.appendChild(document.createElement("main"))).render(<Page />);
