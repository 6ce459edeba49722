import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { ended } from "./ending.js";
import { ROOT } from "./program.js";
import { HANG_MILLIS } from "./until.js";

/** A process of the real program. It serves the elector API on one port and probes on another. */
export class ElectorProcess {
  readonly elector: URL;
  readonly probes: URL;
  private readonly process: ChildProcess;

  private constructor(process: ChildProcess, elector: URL, probes: URL) {
    this.process = process;
    this.elector = elector;
    this.probes = probes;
  }

  /** Runs `./doyen` with these arguments, on free HTTP ports unless `--http` is among them. */
  static async start(argumentsOf: readonly string[]): Promise<ElectorProcess> {
    const isPlaced = argumentsOf.some((each) => each.startsWith("--http="));
    const own = [...(isPlaced ? [] : ["--http=localhost:0"]), "--probe-address=localhost:0"];
    const child = spawn(join(ROOT, "doyen"), [...argumentsOf, ...own], { stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    return new Promise((resolve, reject) => {
      const tooLate = setTimeout(() => reject(new Error(`it did not serve; it said:\n${said}`)), HANG_MILLIS);
      child.stderr.on("data", (chunk: Buffer) => {
        said += chunk.toString();
        const ports = /API is on port (\d+), probes are answered on port (\d+)/.exec(said);
        if (ports !== null) {
          clearTimeout(tooLate);
          const [elector, probes] = [ports[1], ports[2]].map((port) => new URL(`http://localhost:${port}/`));
          resolve(new ElectorProcess(child, elector!, probes!));
        }
      });
      child.once("exit", (code) => {
        clearTimeout(tooLate);
        reject(new Error(`it ended with ${code}; it said:\n${said}`));
      });
    });
  }

  /** Stops the process with SIGSTOP. It keeps its connections and sends nothing more. */
  freeze(): void {
    this.process.kill("SIGSTOP");
  }

  /** Ends the process with this signal and waits for its exit. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    return ended(this.process, signal);
  }
}
