import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Program } from "../src/program.js";

/** The timers of the `ably` package that could delay the end of a process last at least twice as long. */
const EXIT_MILLIS = 5000;

describe("swarms in Node", () => {
  let program: Program;
  before(async () => {
    program = await Program.start({ command: "hub" });
  });
  after(() => program[Symbol.asyncDispose]());

  for (const hangs of [false, true]) {
    test(`a process ends after its swarm is closed${hangs ? ", although the hub hangs" : ""}`, async (t) => {
      const leaver = fileURLToPath(new URL("../src/leaver.js", import.meta.url));
      if (hangs) t.after(() => process.kill(program.pid, "SIGCONT"));
      const args = [leaver, program.hub.port, ...(hangs ? [String(program.pid)] : [])];
      const { stdout } = await promisify(execFile)(process.execPath, args);
      const { left, exitMillis, sockets } = JSON.parse(stdout) as {
        left: string[];
        exitMillis: number;
        sockets: number;
      };
      assert.deepEqual(left, [], "no timer and no socket is left");
      assert.equal(sockets, 1);
      assert.ok(exitMillis < EXIT_MILLIS, `the process ended ${exitMillis} ms after close`);
      t.diagnostic(`the process ended ${exitMillis} ms after close`);
    });
  }
});
