import { StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import { LeaderOnly } from "@doyen/swarm/react";
import { Hello } from "../../../examples/hello/Hello.js";

/**
 * Shows the React example in strict mode, beside a second component that uses the same swarm. The button mounts and
 * unmounts the second component.
 */
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
  // Defined inline, because the test checks that a new function at each render opens no new connection.
  const authUrl = "http://localhost:8000/token";
  const options = { authUrl, endpoint: "localhost", port: 8000, tls: false, onError: () => {} };
  return (
    <LeaderOnly channel="orders" options={options} fallback={<i>follows</i>}>
      {({ term }) => <b>{`only in term ${term}`}</b>}
    </LeaderOnly>
  );
}

createRoot(document.body.appendChild(document.createElement("main"))).render(<Page />);
