import assert from "node:assert/strict";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, test } from "node:test";
import { noBrowser } from "../src/browser.js";
import { Demo } from "../src/demo.js";
import { KEY } from "../src/program.js";
import { until } from "../src/until.js";

const noNetwork =
  Object.values(networkInterfaces()).every((each) =>
    each?.every(({ internal, family }) => internal || family !== "IPv4"),
  ) && "this machine has no address in a network";

/** Returns the error of a connection to the port of a URL; null if the connection succeeds. */
function refusal(at: URL): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect(Number(at.port), at.hostname);
    socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    socket.once("connect", () => resolve(null)).once("connect", () => socket.destroy());
  });
}

describe("doyen demo --share", { skip: noBrowser || noNetwork }, () => {
  const demo = new Demo({ arguments: ["--share"] });
  const alone = new Demo();
  const get = (path: string) => fetch(new URL(path, demo.program.shared));

  test("lets pages elect on the address of this machine in the network, with tokens only", async () => {
    const { shared, hub } = demo.program;
    assert.equal(shared.port, hub.port);
    assert.doesNotMatch(shared.hostname, /^(localhost|127\.)/);
    const requests: string[] = [];
    const { page, faults } = await demo.visit(shared.href);
    // A reload during the first connection would end it with an error.
    await page.waitForSelector('body[data-connected="true"]');
    page.on("request", (request) => requests.push(request.url()));
    page.on("websocket", (socket) => requests.push(socket.url()));
    await page.reload();
    await page.waitForSelector('body[data-leader="true"]');
    const own = await demo.visit("/");
    await own.page.waitForSelector('body[data-leader="false"][data-count]:not([data-count=""])');
    await page.context().close();
    await own.page.waitForSelector('body[data-leader="true"]');
    await own.page.context().close();
    const text = requests.join("\n");
    assert.match(text, /\/token\?\S*channel=counter/);
    assert.match(text, /^ws:\S+access_?token=/im);
    assert.doesNotMatch(text, /[?&]key=|a-long-secret/);
    assert.deepEqual(faults, []);
  });

  test("shows the address and its QR code on the page", async () => {
    const { page } = await demo.visit("/");
    const { shared } = demo.program;
    await page.waitForSelector("#share:not([hidden])");
    assert.equal(await page.textContent("#shared-url"), shared.href);
    await until(
      "the image is loaded",
      () => page.evaluate(() => document.querySelector<HTMLImageElement>("#qr-code")?.naturalWidth ?? 0),
      (width) => width > 0,
    );
    await page.context().close();
    const other = await alone.visit("/");
    await other.page.waitForSelector('body[data-connected="true"]');
    assert.equal(await other.page.isVisible("#share"), false);
    await other.page.context().close();
  });

  test("links to the console and the quorum demonstration only on the machine of the demo", async () => {
    for (const [at, links] of [
      [demo.program.shared.href, ["/game/", "/voting/", "/ring/"]],
      ["/", ["/game/", "/voting/", "/ring/", "/quorum/", "/console/"]],
    ] as const) {
      const { page } = await demo.visit(at);
      await page.waitForSelector('body[data-connected="true"]');
      const shown = await page.evaluate(() =>
        [...document.querySelectorAll("footer a")]
          .filter((link) => link.checkVisibility())
          .map((link) => link.getAttribute("href")),
      );
      assert.deepEqual(shown, links);
      await page.context().close();
    }
  });

  test("gives other machines no token for other channels, no console and no way to use the key", async () => {
    assert.equal((await get("/token?clientId=eve&channel=counter")).status, 200);
    assert.equal((await get("/token?clientId=eve&channel=orders")).status, 403);
    const authorization = `Basic ${Buffer.from(KEY).toString("base64")}`;
    const { shared, hub, adminKey } = demo.program;
    const history = (at: URL) => fetch(new URL("/channels/counter/messages", at), { headers: { authorization } });
    assert.deepEqual([(await history(shared)).status, (await history(hub)).status], [404, 200]);
    const resign = (at: URL) =>
      fetch(new URL("/console/v1/elections/counter/resign", at), {
        method: "POST",
        headers: { authorization: `Bearer ${adminKey}` },
      });
    assert.equal((await resign(shared)).status, 404);
    assert.notEqual((await resign(hub)).status, 404);
  });

  test("opens no other port, and without the option nothing listens on the address", async () => {
    const { shared, elector, probes } = demo.program;
    for (const { port } of [elector, probes, alone.program.hub, alone.program.elector, alone.program.probes]) {
      assert.equal(await refusal(new URL(`http://${shared.hostname}:${port}`)), "ECONNREFUSED");
    }
    assert.equal(await refusal(shared), null);
  });
});
