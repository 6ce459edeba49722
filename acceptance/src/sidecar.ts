import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "./program.js";

const STARTED_WITHIN_MILLIS = 60_000;

/** The real sidecar, as `./doyen elector` starts it, on ports that were free. */
export class Sidecar {
  readonly elector: URL;
  readonly probes: URL;
  private readonly process: ChildProcess;

  private constructor(process: ChildProcess, elector: URL, probes: URL) {
    this.process = process;
    this.elector = elector;
    this.probes = probes;
  }

  /** Stands as `id` in the election `app`, over leases in this folder. */
  static async start(id: string, folder: string, flags: readonly string[] = []): Promise<Sidecar> {
    const own = [
      "--election=app",
      `--id=${id}`,
      `--store=file:${folder}`,
      "--http=localhost:0",
      "--probe-address=localhost:0",
    ];
    const child = spawn(join(ROOT, "doyen"), ["elector", ...own, ...flags], { stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    return new Promise((resolve, reject) => {
      const tooLate = setTimeout(() => reject(new Error(`it did not serve; it said:\n${said}`)), STARTED_WITHIN_MILLIS);
      child.stderr.on("data", (chunk: Buffer) => {
        said += chunk.toString();
        const ports = /told on port (\d+), probes are answered on port (\d+)/.exec(said);
        if (ports !== null) {
          clearTimeout(tooLate);
          resolve(
            new Sidecar(child, new URL(`http://localhost:${ports[1]}/`), new URL(`http://localhost:${ports[2]}/`)),
          );
        }
      });
      child.once("exit", (code) => {
        clearTimeout(tooLate);
        reject(new Error(`it ended with ${code}; it said:\n${said}`));
      });
    });
  }

  /** Ends it by this signal, and waits until it is gone. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return this.process.exitCode;
    const gone = new Promise<number | null>((resolve) => this.process.once("exit", resolve));
    this.process.kill(signal);
    return gone;
  }
}
