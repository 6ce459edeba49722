import { ElectorProcess } from "./electorprocess.js";

/**
 * Starts a sidecar with `./doyen elector`. The sidecar campaigns as `id` in the election `app`. Its lease is in
 * `folder`.
 */
export function startSidecar(id: string, folder: string, flags: readonly string[] = []): Promise<ElectorProcess> {
  return ElectorProcess.start([
    "elector",
    "--election=app",
    `--id=${id}`,
    `--store=file:${folder}`,
    "--admin-commands=loopback",
    ...flags,
  ]);
}
