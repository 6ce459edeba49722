import type { ChildProcess } from "node:child_process";
import { within } from "./until.js";

/** A process that was asked to end is given so long; it takes a few seconds at most. */
const END_WITHIN_MILLIS = 30_000;

/** Ends it by this signal, and waits until it is gone; its exit code. One that stays is killed, which is an error. */
export async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const gone = new Promise<number | null>((resolve) => child.once("exit", resolve));
  child.kill(signal);
  const code = await within(END_WITHIN_MILLIS, gone);
  if (code !== null) return code.value;
  child.kill("SIGKILL");
  throw new Error(`process ${child.pid} did not end within ${END_WITHIN_MILLIS} ms of ${signal}; it was killed`);
}
