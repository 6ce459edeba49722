import { ElectorError } from "./errors.js";

const LEAST_BELIEF_MILLIS = 3_000;
const MOST_BELIEF_MILLIS = 300_000;

export interface ElectorOptions {
  /** This app's name, as the elector knows it. In Node `HOSTNAME`, else the host's name: in a pod, the pod's name. */
  readonly name?: string;
  /** Where the elector is asked; `http://` may be left out. In Node `ELECTOR_GET_URL`, else `ELECTOR_PATH`. */
  readonly url?: string | URL;
  /** Where the elector streams. In Node `ELECTOR_SSE_URL`, else `sse` below `url`. Not used where an election is named. */
  readonly sseUrl?: string | URL;
  /**
   * For how long a word of the elector is believed, in milliseconds: 5,000 unless told otherwise, from 3,000 to 300,000.
   * When nothing was heard for so long, nobody is known to lead, and a leadership is over.
   */
  readonly believeMillis?: number;
  /**
   * What `isLeader()` does if the elector does not answer, or not in time: `"follow"` (the default) says false,
   * `"throw"` throws, `"lead"` says true: for work that is better done twice than not at all.
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

/** What of `process` is used; there is none in a browser. */
interface Runtime {
  readonly env?: Readonly<Record<string, string | undefined>>;
  getBuiltinModule?(name: "node:os"): { hostname(): string } | undefined;
}

/** Fills in what was left out, from the environment if there is one. Throws an `ElectorError` that names what is missing. */
export function settingsOf(options: ElectorOptions): Settings {
  const runtime = (globalThis as { process?: Runtime }).process;
  const env = runtime?.env ?? {};
  const name = options.name ?? (env["HOSTNAME"] || runtime?.getBuiltinModule?.("node:os")?.hostname());
  if (!name) throw new ElectorError("it is not known who this app is: set HOSTNAME, or give name");
  const where = options.url ?? (env["ELECTOR_GET_URL"] || env["ELECTOR_PATH"]);
  if (!where) throw new ElectorError("it is not known where the elector is: set ELECTOR_GET_URL, or give url");
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
    throw new ElectorError(`${what} (${text.slice(0, 100)}) is no address; write it like http://localhost:4040/`);
  }
}
