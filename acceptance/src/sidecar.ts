import { ElectorProcess } from "./electorprocess.js";

/** Starts the real sidecar, as `./doyen elector` does: it stands as `id` in the election `app`, over leases in this folder. */
export function startSidecar(id: string, folder: string, flags: readonly string[] = []): Promise<ElectorProcess> {
  return ElectorProcess.start(["elector", "--election=app", `--id=${id}`, `--store=file:${folder}`, ...flags]);
}
