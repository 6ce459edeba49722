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
  /**
   * Receives a message when the elector begins to fail, and another one when it answers again. The default is
   * `console.warn`. The client passes no message about a failure that it throws.
   */
  readonly log?: (message: string) => void;
}

export interface Settings {
  readonly name: string;
  readonly url: URL;
  readonly sseUrl: URL;
  readonly believeMillis: number;
  readonly whenUnknown: "follow" | "throw" | "lead";
  readonly log: (message: string) => void;
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
  const url = given("url", options.url) ?? inVariable("ELECTOR_GET_URL") ?? inVariable("ELECTOR_PATH");
  if (url === undefined) {
    const why = env["ELECTOR_GET_URL"] === undefined ? "is not set" : "is empty";
    throw new ElectorError(
      `the address of the elector is unknown, because ELECTOR_GET_URL ${why}; ` +
        "run the elector's sidecar in this pod, or set ELECTOR_GET_URL or the option url",
    );
  }
  const stream =
    given("sseUrl", options.sseUrl) ?? (options.url === undefined ? inVariable("ELECTOR_SSE_URL") : undefined);
  const believeMillis = options.believeMillis ?? 5_000;
  if (!(believeMillis >= LEAST_BELIEF_MILLIS && believeMillis <= MOST_BELIEF_MILLIS)) {
    const bounds = `from ${LEAST_BELIEF_MILLIS} to ${MOST_BELIEF_MILLIS}`;
    throw new ElectorError(`believeMillis (${believeMillis}) must be ${bounds}`);
  }
  const sseUrl = stream ?? new URL(`${url.pathname.replace(/\/$/, "")}/sse`, url);
  const { whenUnknown = "follow", log = (message) => console.warn(message) } = options;
  return { name, url, sseUrl, believeMillis, whenUnknown, log };

  function given(option: string, value: string | URL | undefined): URL | undefined {
    return value === undefined ? undefined : urlOf(value, `the option ${option}`);
  }

  function inVariable(variable: string): URL | undefined {
    const value = env[variable];
    return value ? urlOf(value, variable) : undefined;
  }
}

function urlOf(given: string | URL, what: string): URL {
  const text = String(given).trim();
  const complete = text.includes("://") ? text : `http://${text}`;
  try {
    if (/^https?:\/\/[^/]/i.test(complete)) return new URL(complete);
  } catch {
    // The error below has a clearer message.
  }
  const value = JSON.stringify(String(given).slice(0, 100));
  throw new ElectorError(`${what} (${value}) is not the address of an elector; write it like http://localhost:4040/`);
}
