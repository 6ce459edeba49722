import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./program.js";

/** The Python in which `./dev verify` has installed the packages of testing/acceptance/python/requirements.txt. */
export const PYTHON = join(ROOT, "target", "python", "bin", "python");

/** Why the tests with Python's clients cannot run here; false if they can. A value for node:test's `skip`. */
export const noPython: string | false =
  existsSync(PYTHON) && spawnSync(PYTHON, ["-c", "import requests, sseclient"]).status === 0
    ? false
    : "SKIPPED: no requests and sseclient for Python in target/python; ./dev verify acceptance puts them there, given python3 with venv";
