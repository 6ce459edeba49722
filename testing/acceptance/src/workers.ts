import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ElectorProcess } from "./electorprocess.js";
import { ROOT } from "./program.js";
import { PYTHON } from "./python.js";

const EXAMPLES = join(ROOT, "examples");

/** A program of examples/ that works only while it leads. */
export interface Worker {
  readonly language: string;
  readonly command: readonly [string, ...string[]];
  /** The reason why this program cannot run on this machine; false if it can. */
  readonly missing: string | false;
}

/** The reason why tests with the Python client cannot run on this machine; false if they can. */
export const noDoyenForPython: string | false =
  existsSync(PYTHON) && spawnSync(PYTHON, ["-c", "import doyen"]).status === 0
    ? false
    : "SKIPPED: target/python does not contain the Python client; ./dev verify acceptance installs it if python3 with venv is installed";

/** The Go examples, which `./dev verify` builds. */
const GO = join(ROOT, "target", "examples", "leading");
export const GO_WATCH = join(ROOT, "target", "examples", "watch");

/** The reason why tests with the Go examples cannot run on this machine; false if they can. */
export const noGoExamples: string | false = existsSync(GO)
  ? false
  : "SKIPPED: the Go examples are not built; ./dev verify acceptance builds them if go is installed";

export const WORKERS: readonly Worker[] = [
  { language: "Node", command: ["node", join(EXAMPLES, "languages/leading.mjs")], missing: false },
  { language: "Python", command: [PYTHON, join(EXAMPLES, "languages/leading.py")], missing: noDoyenForPython },
  { language: "Go", command: [GO], missing: noGoExamples },
  shell("a shell with requests", "sh", "while-leading.sh"),
  shell("a shell with /sse", "bash", "follow.sh"),
];

function shell(language: string, program: string, script: string): Worker {
  const missing = spawnSync("curl", ["--version"]).error ? "SKIPPED: curl is not installed" : false;
  return { language, command: [program, join(EXAMPLES, "curl", script)], missing };
}

/**
 * A running worker. `received` contains the lines that the worker prints, except the lines of the leader's work. A line
 * that begins with "no longer" is shortened to these two words.
 */
export class AtWork {
  readonly received: string[] = [];
  /** The number of lines of the leader's work that the worker has printed. */
  turns = 0;
  private readonly process: ChildProcess;
  private isEnded = false;

  /** Starts the worker beside this elector, in its own process group. */
  constructor(worker: Worker, elector: ElectorProcess, name: string) {
    const [program, ...rest] = worker.command;
    this.process = spawn(program, rest, {
      env: environment(elector, name),
      stdio: ["ignore", "pipe", "inherit"],
      detached: true,
    });
    let text = "";
    this.process.stdout!.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const lines = text.split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) {
        if (line === "the leader's work") this.turns++;
        else this.received.push(line.replace(/^no longer.*/, "no longer"));
      }
    });
  }

  /** Ends the worker and all processes that it has started. */
  end(): void {
    if (this.isEnded || this.process.pid === undefined) return;
    this.isEnded = true;
    process.kill(-this.process.pid, "SIGKILL");
  }
}

/** Returns the environment variables of a pod with this elector. */
export function environment(elector: ElectorProcess, name: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    HOSTNAME: name,
    ELECTOR_GET_URL: elector.elector.href,
    ELECTOR_SSE_URL: new URL("/sse", elector.elector).href,
  };
}
