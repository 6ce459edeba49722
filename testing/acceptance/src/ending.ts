import type { ChildProcess } from "node:child_process";
import { HANG_MILLIS, within } from "./until.js";

/**
 * Ends the process with this signal and returns its exit code. The code is null if a signal has ended the process. If
 * the process does not end in time, kills it and throws an error.
 */
export async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const gone = new Promise<number | null>((resolve) => child.once("exit", resolve));
  child.kill(signal);
  const code = await within(HANG_MILLIS, gone);
  if (code !== null) return code.value;
  child.kill("SIGKILL");
  throw new Error(`process ${child.pid} did not end within ${HANG_MILLIS} ms of ${signal}; it was killed`);
}
