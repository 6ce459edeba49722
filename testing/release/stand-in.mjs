// A server that answers like an elector with the election "app".
import { createServer } from "node:http";

const ELECTION = JSON.stringify({ name: "app", leader: { id: "pod-1", term: 7 }, lastTerm: 7 });

/** Starts the server, and returns its address. The test closes the server at its end. */
export async function standIn(test) {
  const server = createServer((request, response) => {
    if (request.url.startsWith("/v1/elections/app/events")) {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.write(`id: 1\nevent: leader\ndata: ${ELECTION}\n\n`);
    } else response.end(request.url === "/v1/elections/app" ? ELECTION : '{"name":"pod-1"}');
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${server.address().port}`;
}
