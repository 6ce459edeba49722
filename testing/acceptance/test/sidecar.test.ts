import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { EventSource } from "eventsource";
import type { ElectorProcess } from "../src/electorprocess.js";
import { startSidecar } from "../src/sidecar.js";
import { until } from "../src/until.js";

const EXACT = /^\{"name":"([^"]*)","last_update":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"\}$/;

describe("doyen elector", () => {
  const folder = mkdtempSync(join(tmpdir(), "doyen-sidecar-"));
  let first: ElectorProcess;
  let second: ElectorProcess;
  before(async () => {
    first = await startSidecar("pod-1", join(folder, "leases"));
    await until(
      "pod-1 leads",
      () => nameAt(first),
      (name) => name === "pod-1",
    );
    second = await startSidecar("pod-2", join(folder, "leases"));
    await until(
      "pod-2 follows",
      () => nameAt(second),
      (name) => name === "pod-1",
    );
  });
  after(async () => {
    await first.end("SIGTERM");
    await second.end("SIGTERM");
    rmSync(folder, { recursive: true, force: true });
  });

  test("fetch reads the same bytes and headers at every path with every method", async () => {
    for (const [method, path] of [
      ["GET", "/"],
      ["POST", "/any/path?x=%zz"],
      ["DELETE", "/"],
    ] as const) {
      const response = await fetch(new URL(path, second.elector), { method });
      assert.equal(response.status, 200);
      assert.equal(response.headers.get("content-type"), "application/json");
      assert.equal(response.headers.get("cache-control"), "no-cache");
      assert.equal(EXACT.exec(await response.text())?.[1], "pod-1");
    }
  });

  test("EventSource receives the leader at once, and the next leader after SIGTERM", async () => {
    const received: string[] = [];
    const source = new EventSource(new URL("/sse", second.elector));
    source.onmessage = (event: { data: string }) =>
      received.push(EXACT.exec(event.data)?.[1] ?? `unexpected format: ${event.data}`);
    await until(
      "the current leader",
      () => received,
      (names) => names.length === 1,
    );

    assert.equal(await first.end("SIGTERM"), 0);
    await until(
      "the next leader",
      () => received,
      (names) => names.at(-1) === "pod-2",
    );
    source.close();
    assert.deepEqual(
      received.filter((name) => name !== ""),
      ["pod-1", "pod-2"],
    );
    assert.equal((await fetch(new URL("/healthz", second.probes))).status, 200);
  });

  async function nameAt(sidecar: ElectorProcess): Promise<string | undefined> {
    return EXACT.exec(await (await fetch(sidecar.elector)).text())?.[1];
  }
});
