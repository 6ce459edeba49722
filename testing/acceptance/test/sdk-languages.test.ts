import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { KEY, Program, ROOT } from "../src/program.js";
import { PYTHON } from "../src/python.js";
import { HANG_MILLIS } from "../src/until.js";

const run = promisify(execFile);
const GO = join(ROOT, "target", "ably-go");

/** A program that uses the official SDK of a language, and the reason why it cannot run; false if it can. */
const PROGRAMS: readonly { language: string; command: string; args: readonly string[]; skip: string | false }[] = [
  {
    language: "Python",
    command: PYTHON,
    args: [join(ROOT, "testing/acceptance/python/ably_client.py")],
    skip:
      existsSync(PYTHON) && spawnSync(PYTHON, ["-c", "import ably"]).status === 0
        ? false
        : "SKIPPED: target/python does not contain the package ably; ./dev verify acceptance installs it if python3 with venv is installed",
  },
  {
    language: "Go",
    command: GO,
    args: [],
    skip: existsSync(GO)
      ? false
      : "SKIPPED: target/ably-go is missing; ./dev verify acceptance builds it if go is installed",
  },
];

describe("unmodified official SDKs of other languages", () => {
  let program: Program;
  before(async () => {
    program = await Program.start();
  });
  after(() => program[Symbol.asyncDispose]());

  for (const { language, command, args, skip } of PROGRAMS) {
    for (const format of ["json", "msgpack"]) {
      test(`${language}, ${format}: a message and a leader`, { skip }, async () => {
        const { stdout } = await run(command, [...args, format], {
          env: { ...process.env, HUB_KEY: KEY, HUB_PORT: program.hub.port },
          timeout: HANG_MILLIS,
        });
        assert.equal(stdout, "received text hello of ann\npresent ann leader\n");
      });
    }
  }
});
