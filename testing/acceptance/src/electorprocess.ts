import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { ended } from "./ending.js";
import { ROOT } from "./program.js";
import { HANG_MILLIS } from "./until.js";

/** A `./doyen` process that serves the elector API on one port and the probes on another port. */
export class ElectorProcess {
  readonly elector: URL;
  readonly probes: URL;
  private readonly process: ChildProcess;

  private constructor(process: ChildProcess, elector: URL, probes: URL) {
    this.process = process;
    this.elector = elector;
    this.probes = probes;
  }

  /**
   * Starts `./doyen` with these arguments. The probes use a free port, and so does the API unless the arguments contain
   * `--http`.
   */
  static async start(argumentsOf: readonly string[]): Promise<ElectorProcess> {
    const isPlaced = argumentsOf.some((each) => each.startsWith("--http="));
    const own = [...(isPlaced ? [] : ["--http=localhost:0"]), "--probe-address=localhost:0"];
    const child = spawn(join(ROOT, "doyen"), [...argumentsOf, ...own], { stdio: ["ignore", "ignore", "pipe"] });
    let output = "";
    return new Promise((resolve, reject) => {
      const tooLate = setTimeout(() => reject(new Error(`the process did not serve; output:\n${output}`)), HANG_MILLIS);
      child.stderr.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        const ports = /API is on port (\d+), probes are answered on port (\d+)/.exec(output);
        if (ports !== null) {
          clearTimeout(tooLate);
          const [elector, probes] = [ports[1], ports[2]].map((port) => new URL(`http://localhost:${port}/`));
          resolve(new ElectorProcess(child, elector!, probes!));
        }
      });
      child.once("exit", (code) => {
        clearTimeout(tooLate);
        reject(new Error(`the process ended with ${code}; output:\n${output}`));
      });
    });
  }

  /** Freezes the process with SIGSTOP. Its connections stay open, but the process sends nothing. */
  freeze(): void {
    this.process.kill("SIGSTOP");
  }

  /** Ends the process with this signal and waits for its exit. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    return ended(this.process, signal);
  }
}
