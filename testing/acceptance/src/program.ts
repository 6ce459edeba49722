import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ended } from "./ending.js";
import { HANG_MILLIS } from "./until.js";

/** The repository's root. This file runs from testing/acceptance/dist/src. */
export const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));

export const KEY = "acceptance.key:a-long-secret-for-tests";

export interface StartOptions {
  /** The data directory; by default a temporary directory. */
  readonly data?: string;
  readonly port?: number;
  readonly claimTtl?: string;
  /** The command; `demo` if absent. */
  readonly command?: "demo" | "hub";
  readonly arguments?: readonly string[];
}

/** A `./doyen demo` or `./doyen hub` process, by default on free ports. */
export class Program {
  readonly hub: URL;
  /** The address of the console, with the admin key in its fragment. */
  readonly console: URL;
  readonly elector: URL;
  readonly probes: URL;
  readonly data: string;
  private readonly process: ChildProcess;
  private readonly ownsData: boolean;
  private readonly readOutput: () => string;

  private constructor(process: ChildProcess, data: string, ownsData: boolean, readOutput: () => string) {
    this.process = process;
    this.data = data;
    this.ownsData = ownsData;
    this.readOutput = readOutput;
    this.hub = urlIn(readOutput(), "hub");
    this.console = urlIn(readOutput(), "console");
    this.elector = urlIn(readOutput(), "elector API");
    this.probes = urlIn(readOutput(), "probes");
  }

  static async start(options: StartOptions = {}): Promise<Program> {
    const data = options.data ?? mkdtempSync(join(tmpdir(), "doyen-acceptance-"));
    const flags = ["--port", String(options.port ?? 0), "--elector-port", "0", "--probe-port", "0", "--data", data];
    if (options.claimTtl !== undefined) flags.push("--claim-ttl", options.claimTtl);
    const child = spawn(join(ROOT, "doyen"), [options.command ?? "demo", ...flags, ...(options.arguments ?? [])], {
      env: { ...process.env, DOYEN_KEY: KEY },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const serving = new Promise<void>((resolve, reject) => {
      const tooLate = setTimeout(() => {
        // Without this signal, the process would keep the test process alive.
        child.kill("SIGKILL");
        reject(new Error(`the program did not serve within ${HANG_MILLIS} ms; its output:\n${output}`));
      }, HANG_MILLIS);
      const onChunk = (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes("Ctrl-C stops it.")) {
          clearTimeout(tooLate);
          resolve();
        }
      };
      child.stdout.on("data", onChunk);
      child.stderr.on("data", onChunk);
      child.once("exit", (code) => {
        clearTimeout(tooLate);
        reject(new Error(`the program ended with ${code} before it served; its output:\n${output}`));
      });
    });
    await serving;
    return new Program(child, data, options.data === undefined, () => output);
  }

  /** Returns the address for other machines of a demo that was started with `--share`. */
  get shared(): URL {
    return urlIn(this.readOutput(), "other machines");
  }

  get adminKey(): string {
    return this.console.hash.replace("#key=", "");
  }

  /** Returns the address of the quorum demonstration, with the admin key in its fragment. */
  get quorum(): URL {
    return new URL(`/quorum/${this.console.hash}`, this.hub);
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  /** Returns the output that the process has printed so far. */
  get output(): string {
    return this.readOutput();
  }

  /** Returns how many open handles and threads the process has. */
  get holds(): { handles: number; threads: number } {
    return {
      handles: readdirSync(`/proc/${this.pid}/fd`).length,
      threads: Number(/^Threads:\s+(\d+)$/m.exec(readFileSync(`/proc/${this.pid}/status`, "utf8"))?.[1]),
    };
  }

  /** Ends the process with this signal and waits for its exit. Its data remain on the disk. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    return ended(this.process, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end("SIGTERM");
    if (this.ownsData) rmSync(this.data, { recursive: true, force: true });
  }
}

/** The exit code and the output of a program that has ended. The code is null if a signal ended the program. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `./doyen demo` until it ends, by default on free ports. Without `key`, DOYEN_KEY is not set. */
export async function endOf(flags: readonly string[], key?: string): Promise<Ended> {
  const { DOYEN_KEY: _, ...environment } = process.env;
  const free = ["--port", "--elector-port", "--probe-port"].filter((flag) => !flags.includes(flag));
  const child = spawn(join(ROOT, "doyen"), ["demo", ...free.flatMap((flag) => [flag, "0"]), ...flags], {
    env: key === undefined ? environment : { ...environment, DOYEN_KEY: key },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: HANG_MILLIS,
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, stdout, stderr };
}

function urlIn(text: string, label: string): URL {
  const found = new RegExp(`${label}\\s+(https?://\\S+)`).exec(text)?.[1];
  if (found === undefined) throw new Error(`the output of the program contains no "${label}":\n${text}`);
  return new URL(found);
}
