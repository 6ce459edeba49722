import { spawn, type ChildProcess } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import { ROOT } from "./program.js";

const STARTED_WITHIN_MILLIS = 60_000;

/** By which a crash is noticed, next to the port of each process. */
const SUSPICION_OFFSET = 100;

/** The real process, as `./doyen ring` starts it, in the election `orders`; its ports for HTTP were free. */
export class RingProcess {
  readonly id: string;
  readonly elector: URL;
  private readonly process: ChildProcess;

  private constructor(id: string, process: ChildProcess, elector: URL) {
    this.id = id;
    this.process = process;
    this.elector = elector;
  }

  /** Starts one process for each of these ids, which are the voters too. */
  static async all(ids: readonly string[], flags: readonly string[] = []): Promise<RingProcess[]> {
    const ports = await freePorts(ids.length);
    const peers = ports.map((port) => `localhost:${port}`);
    return Promise.all(ids.map((id, i) => RingProcess.start(id, peers, peers[i]!, [`--voters=${ids}`, ...flags])));
  }

  private static async start(
    id: string,
    peers: readonly string[],
    listen: string,
    flags: readonly string[],
  ): Promise<RingProcess> {
    const own = [`--id=${id}`, `--peers=${peers}`, `--listen=${listen}`, "--http=localhost:0"];
    const child = spawn(join(ROOT, "doyen"), ["ring", "orders", ...own, "--probe-address=localhost:0", ...flags], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    return new Promise((resolve, reject) => {
      const tooLate = setTimeout(() => reject(new Error(`it did not serve; it said:\n${said}`)), STARTED_WITHIN_MILLIS);
      child.stderr.on("data", (chunk: Buffer) => {
        said += chunk.toString();
        const port = /told on port (\d+), probes/.exec(said)?.[1];
        if (port !== undefined) {
          clearTimeout(tooLate);
          resolve(new RingProcess(id, child, new URL(`http://localhost:${port}/`)));
        }
      });
      child.once("exit", (code) => {
        clearTimeout(tooLate);
        reject(new Error(`it ended with ${code}; it said:\n${said}`));
      });
    });
  }

  get console(): URL {
    return new URL("/console/", this.elector);
  }

  /** Who leads, as it tells; the empty name if nobody does. */
  async leader(): Promise<string> {
    return ((await (await fetch(this.elector)).json()) as { name: string }).name;
  }

  /** Ends it by this signal, and waits until it is gone. */
  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const gone = new Promise((resolve) => this.process.once("exit", resolve));
    this.process.kill(signal);
    await gone;
  }
}

/** Ports that are free just now, and the ones above them that belong to them; below those that sockets are given at will. */
async function freePorts(count: number): Promise<number[]> {
  const found: number[] = [];
  for (let port = 20_000 + (process.pid % 90) * 110; found.length < count; port++) {
    if (port >= 32_000) throw new Error(`there are no ${count} free ports below 32000`);
    if ((await isFree(port)) && (await isFree(port + SUSPICION_OFFSET))) found.push(port);
  }
  return found;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
