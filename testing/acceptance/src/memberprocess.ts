import { createServer } from "node:net";
import { ElectorProcess } from "./electorprocess.js";
import { HANG_MILLIS, until } from "./until.js";

/**
 * The offset from a process's port to its second port. Over the second ports, the processes detect each other's
 * crashes.
 */
const SUSPICION_OFFSET = 100;

/** A `./doyen ring` process in the election `orders`, on free HTTP ports. */
export class MemberProcess {
  readonly id: string;
  private readonly process: ElectorProcess;

  private constructor(id: string, process: ElectorProcess) {
    this.id = id;
    this.process = process;
  }

  /** Starts a ring with one process for each of these ids. */
  static async ring(ids: readonly string[], flags: readonly string[] = []): Promise<MemberProcess[]> {
    const ports = await freePorts(ids.length);
    const peers = ports.map((port) => `localhost:${port}`);
    return Promise.all(
      ids.map(async (id, i) => {
        const own = [`--peers=${peers}`, `--id=${id}`, `--listen=${peers[i]}`, "--admin-commands=loopback"];
        return new MemberProcess(id, await ElectorProcess.start(["ring", "orders", ...flags, ...own]));
      }),
    );
  }

  /** Waits until all processes name the same leader, other than `before`, and returns that leader. */
  static async agreed(processes: readonly MemberProcess[], before?: MemberProcess): Promise<MemberProcess> {
    const [id] = await until(
      "all processes report the same leader",
      () => Promise.all(processes.map((process) => process.leader())),
      (all) => all[0] !== "" && all[0] !== before?.id && all.every((each) => each === all[0]),
    );
    return processes.find((process) => process.id === id)!;
  }

  get console(): URL {
    return new URL("/console/", this.process.elector);
  }

  /** Returns the leader's name according to this process; empty if no member leads. */
  async leader(): Promise<string> {
    const answer = await fetch(this.process.elector, { signal: AbortSignal.timeout(HANG_MILLIS) });
    return ((await answer.json()) as { name: string }).name;
  }

  /** Sends a resign command with a cooldown of an hour to this process, which must be the leader. */
  async resign(): Promise<void> {
    const url = new URL("/v1/elections/orders/resign?cooldown=60m", this.process.elector);
    const answer = await fetch(url, { method: "POST", signal: AbortSignal.timeout(HANG_MILLIS) });
    if (answer.status !== 200) throw new Error(`the command resign failed: ${answer.status} ${await answer.text()}`);
  }

  /** Ends the process with this signal and waits for its exit. */
  async end(signal: NodeJS.Signals): Promise<void> {
    await this.process.end(signal);
  }
}

/**
 * Returns free ports whose second ports are also free. All ports are below the range of the system's ephemeral ports.
 */
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
