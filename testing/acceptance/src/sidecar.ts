import { ElectorProcess } from "./electorprocess.js";

/**
 * Starts the real sidecar like `./doyen elector`. It campaigns as `id` in the election `app`, with leases in this
 * folder.
 */
export function startSidecar(id: string, folder: string, flags: readonly string[] = []): Promise<ElectorProcess> {
  return ElectorProcess.start(["elector", "--election=app", `--id=${id}`, `--store=file:${folder}`, ...flags]);
}
