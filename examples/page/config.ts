import { MAX_TTL_MILLIS } from "@doyen/swarm";

/** The configuration that the server sends at /config.json. */
export interface Config {
  readonly channel: string;
  /**
   * The root URL of the elector API, which reports the leader over HTTP. The URL is empty if the server has no elector
   * API.
   */
  readonly electorUrl: string;
  readonly claimTtlMillis: number;
  /** The URL of the demo for other machines. The URL is empty if only this machine can open the demo. */
  readonly sharedUrl: string;
  /** True if only this machine can open the page. The page then links to pages that control this machine. */
  readonly ownMachine: boolean;
  readonly tickMillis: number;
}

/** Loads the configuration. On failure, the function calls `fail` with the reason and returns null. */
export async function loadConfig(fail: (text: string) => void): Promise<Config | null> {
  try {
    return await askForConfig();
  } catch (error) {
    fail(`This page needs its server: ${(error as Error).message}.`);
    return null;
  }
}

async function askForConfig(): Promise<Config> {
  const response = await fetch("/config.json", { cache: "no-store" });
  if (!response.ok) throw new Error(`/config.json answered ${response.status}`);
  const found = (await response.json()) as Partial<Config>;
  if (typeof found.channel !== "string") throw new Error("/config.json has no channel");
  return {
    channel: found.channel,
    electorUrl: found.electorUrl ?? "",
    sharedUrl: found.sharedUrl ?? "",
    ownMachine: found.ownMachine ?? false,
    claimTtlMillis: Math.min(found.claimTtlMillis ?? 5000, MAX_TTL_MILLIS),
    tickMillis: Math.max(100, found.tickMillis ?? 1000),
  };
}

/** Returns the connection settings for the hub that served this page. This hub also signs tokens for the page. */
export function connectionTo(location: Location): Record<string, unknown> {
  const tls = location.protocol === "https:";
  const port = Number(location.port) || (tls ? 443 : 80);
  const authUrl = new URL("/token", location.href).href;
  return { endpoint: location.hostname, authUrl, tls, ...(tls ? { tlsPort: port } : { port }), logLevel: 0 };
}
