import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { launch, noBrowser } from "../src/browser.js";
import { browserEventSource, curl, eventSource, fetchStream, sseclient, type Listener } from "../src/listeners.js";
import { noPython, PYTHON } from "../src/python.js";
import type { ElectorProcess } from "../src/electorprocess.js";
import { startSidecar } from "../src/sidecar.js";
import { until } from "../src/until.js";

const run = promisify(execFile);
const noCurl = spawnSync("curl", ["--version"]).error ? "SKIPPED: curl is not installed" : false;
const EXACT = /^\{"name":"([^"]*)","last_update":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"\}$/;

/** Tests that the usual HTTP clients can read the elector. The Kotlin test is in testing/acceptance/kotlin. */
describe("doyen elector with the HTTP clients that apps use", () => {
  const folder = mkdtempSync(join(tmpdir(), "doyen-clients-"));
  /** The first leader. As in a pod, the leader's id is the name of its host. */
  let first: ElectorProcess;
  let second: ElectorProcess;
  before(async () => {
    first = await startSidecar(hostname(), join(folder, "leases"));
    await until(
      "the first sidecar leads",
      () => name(first),
      (leader) => leader === hostname(),
    );
    second = await startSidecar("pod-2", join(folder, "leases"));
    await until(
      "both sidecars report the first sidecar as the leader",
      async () => [await name(first), await name(second)],
      (names) => names.every((each) => each === hostname()),
    );
  });
  after(async () => {
    await first.end("SIGTERM");
    await second.end("SIGTERM");
    rmSync(folder, { recursive: true, force: true });
  });

  test("Python requests reads two strings that are always present", { skip: noPython }, async () => {
    const script = [
      "import requests, sys, datetime, socket",
      "answer = requests.get(sys.argv[1], timeout=90)",
      "answer.raise_for_status()",
      "body = answer.json()",
      "assert sorted(body) == ['last_update', 'name'], body",
      "assert answer.headers['content-type'] == 'application/json', answer.headers",
      "datetime.datetime.strptime(body['last_update'], '%Y-%m-%dT%H:%M:%SZ')",
      "print('I lead' if body['name'] == socket.gethostname() else 'another leads')",
    ].join("\n");
    assert.equal((await run(PYTHON, ["-c", script, first.elector.href])).stdout, "I lead\n");
  });

  test("a shell script compares the leader's name with the host's name", { skip: noCurl }, async () => {
    const script = `curl -s "$ELECTOR_GET_URL" | grep -q "\\"name\\":\\"$HOSTNAME\\"" && echo I lead || echo another leads`;
    const outputOf = async (sidecar: ElectorProcess, host: string) =>
      (
        await run("sh", ["-c", script], {
          env: { ...process.env, HOSTNAME: host, ELECTOR_GET_URL: sidecar.elector.href },
        })
      ).stdout;
    assert.equal(await outputOf(first, hostname()), "I lead\n");
    assert.equal(await outputOf(second, "pod-2"), "another leads\n");
  });

  test("each client of /sse receives the leader at once, and the next leader after SIGTERM", async (t) => {
    const sse = new URL("/sse", second.elector);
    const browser = noBrowser ? undefined : await launch();
    const listeners = new Map<string, Listener>([
      ["eventsource of npm", eventSource(sse)],
      ["fetch", fetchStream(sse)],
    ]);
    if (!noCurl) listeners.set("curl", curl(sse));
    if (browser) listeners.set("EventSource of Chromium", await browserEventSource(browser, sse));
    if (!noPython) listeners.set("sseclient of Python", sseclient(sse));
    [noCurl, noBrowser, noPython].filter(Boolean).forEach((why) => t.diagnostic(String(why)));
    try {
      for (const [client, listener] of listeners) {
        await until(`${client} receives the current leader`, listener.received, (received) => received.length >= 1);
      }
      assert.equal(await first.end("SIGTERM"), 0);
      for (const [client, listener] of listeners) {
        const received = await until(
          `${client} receives the next leader`,
          listener.received,
          (events) => EXACT.exec(events.at(-1) ?? "")?.[1] === "pod-2",
        );
        const names = received.map((event) => EXACT.exec(event)?.[1] ?? `unexpected format: ${event}`);
        assert.deepEqual(
          names.filter((each) => each !== ""),
          [hostname(), "pod-2"],
          client,
        );
      }
    } finally {
      for (const listener of listeners.values()) await listener.close();
      await browser?.close();
    }
  });

  async function name(sidecar: ElectorProcess): Promise<string | undefined> {
    return EXACT.exec(await (await fetch(sidecar.elector)).text())?.[1];
  }
});
