import { ElectorError } from "./errors.js";

const LEAST_BELIEF_MILLIS = 3_000;
const MOST_BELIEF_MILLIS = 300_000;

export interface ElectorOptions {
  /**
   * This app's name in the election. The default in Node is `HOSTNAME`, or else the host's name. In a pod, the
   * default is the pod's name.
   */
  readonly name?: string;
  /**
   * The URL of the elector; `http://` is optional. The default in Node is `ELECTOR_GET_URL`, or else
   * `ELECTOR_PATH`.
   */
  readonly url?: string | URL;
  /**
   * The URL of the event stream. The default is `sse` below `url`. In Node, `ELECTOR_SSE_URL` replaces this default if
   * the option `url` is not set. The setting is unused for a named election.
   */
  readonly sseUrl?: string | URL;
  /**
   * The time for which an answer of the elector is valid, in milliseconds.
   *
   * The range is 3,000 to 300,000, and the default is 5,000. After this time without a new answer, the leader is
   * unknown and a leadership of this app ends.
   */
  readonly believeMillis?: number;
  /**
   * The result of `isLeader()` if no valid answer arrives in time. `"follow"` (the default) returns false,
   * `"throw"` throws, and `"lead"` returns true. Use `"lead"` for work that may run twice but must not be skipped.
   */
  readonly whenUnknown?: "follow" | "throw" | "lead";
}

export interface Settings {
  readonly name: string;
  readonly url: URL;
  readonly sseUrl: URL;
  readonly believeMillis: number;
  readonly whenUnknown: "follow" | "throw" | "lead";
}

/** The part of `process` that the client uses. Browsers have no `process`. */
interface Runtime {
  readonly env?: Readonly<Record<string, string | undefined>>;
  getBuiltinModule?(name: "node:os"): { hostname(): string } | undefined;
}

/**
 * Completes the options with defaults from the environment. Throws an `ElectorError` if a required option is missing,
 * or if an option is invalid.
 */
export function settingsOf(options: ElectorOptions): Settings {
  const runtime = (globalThis as { process?: Runtime }).process;
  const env = runtime?.env ?? {};
  const name = options.name ?? (env["HOSTNAME"] || runtime?.getBuiltinModule?.("node:os")?.hostname());
  if (!name) throw new ElectorError("the name of this app is unknown: set HOSTNAME or the option name");
  const where = options.url ?? (env["ELECTOR_GET_URL"] || env["ELECTOR_PATH"]);
  if (!where) throw new ElectorError("the address of the elector is unknown: set ELECTOR_GET_URL or the option url");
  const url = urlOf(where, "url");
  const stream = options.sseUrl ?? (options.url === undefined ? env["ELECTOR_SSE_URL"] : undefined);
  const believeMillis = options.believeMillis ?? 5_000;
  if (!(believeMillis >= LEAST_BELIEF_MILLIS && believeMillis <= MOST_BELIEF_MILLIS)) {
    const bounds = `from ${LEAST_BELIEF_MILLIS} to ${MOST_BELIEF_MILLIS}`;
    throw new ElectorError(`believeMillis (${believeMillis}) must be ${bounds}`);
  }
  const sseUrl = stream ? urlOf(stream, "sseUrl") : new URL(`${url.pathname.replace(/\/$/, "")}/sse`, url);
  return { name, url, sseUrl, believeMillis, whenUnknown: options.whenUnknown ?? "follow" };
}

function urlOf(given: string | URL, what: string): URL {
  const text = String(given);
  try {
    return new URL(/^https?:\/\//i.test(text) ? text : `http://${text}`);
  } catch {
    throw new ElectorError(`${what} (${text.slice(0, 100)}) is not an address; write it like http://localhost:4040/`);
  }
}
