import assert from "node:assert/strict";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { describe, test } from "node:test";
import { noBrowser } from "../src/browser.js";
import { RecordingBrowser } from "../src/foreign.js";
import { Pages } from "../src/pages.js";
import { until } from "../src/until.js";

/** Opens a page with a `TabSwarm`, and waits until it has tried `attempts` times to connect and has reported a failure. */
async function tryToConnect(port: number, attempts: number): Promise<void> {
  const hub = { hub: new URL(`http://localhost:${port}`) };
  const pages = await Pages.open(hub, { tab: "testing/acceptance/pages/tab.ts" });
  try {
    await using browser = await RecordingBrowser.launch();
    const page = await browser.open();
    await page.goto(pages.url("tab", hub).href);
    const errors = () => page.evaluate(() => (globalThis as unknown as { kept: { errors: string[] } }).kept.errors);
    await until(
      `the page reports a failure and tries ${attempts} times to connect, or contacts a foreign host`,
      async () => ({
        foreign: [...browser.foreign],
        sockets: browser.sockets.length,
        reports: (await errors()).length,
      }),
      ({ foreign, sockets, reports }) => foreign.length > 0 || (reports > 0 && sockets >= attempts),
    );
    assert.deepEqual([...browser.foreign], []);
    const reports = await errors();
    assert.equal(reports.length, 1);
    assert.match(reports[0] ?? "", new RegExp(`cannot connect to ws://localhost:${port}: `));
    assert.deepEqual([...new Set(browser.sockets.map((url) => new URL(url).port))], [String(port)]);
  } finally {
    pages.close();
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

describe("a page whose hub is out of reach contacts no other host", { skip: noBrowser }, () => {
  test("if nothing listens at the address", async () => {
    const server = createServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    await tryToConnect(port, 3);
  });

  test("if the server accepts the connection and never answers", async () => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => sockets.add(socket.on("error", () => {})));
    try {
      await tryToConnect(await listen(server), 2);
    } finally {
      for (const socket of sockets) socket.destroy();
      server.close();
    }
  });
});
