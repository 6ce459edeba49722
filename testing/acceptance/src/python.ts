import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./program.js";

/** The Python interpreter that has the packages of testing/acceptance/python/requirements.txt (see `./dev verify`). */
export const PYTHON = join(ROOT, "target", "python", "bin", "python");

/**
 * The reason why tests with Python clients cannot run; false if they can. Tests pass the value as the option `skip` of
 * node:test.
 */
export const noPython: string | false =
  existsSync(PYTHON) && spawnSync(PYTHON, ["-c", "import requests, sseclient"]).status === 0
    ? false
    : "SKIPPED: target/python does not contain the packages requests and sseclient; ./dev verify acceptance installs them if python3 with venv is installed";
