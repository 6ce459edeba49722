import type { AnySwarm } from "./api.js";
import { Swarm, type SwarmOptions } from "./swarm.js";

/** The settings of `openSwarm`. Without `hub`, it ignores the settings for the hub. */
export interface OpenOptions extends SwarmOptions {
  /** The address of a Doyen hub, for example `https://hub.example.com`. If absent, the tabs elect without a server. */
  readonly hub?: string | undefined;
  /** The key for the hub, or the URL that returns a token for it. */
  readonly key?: string | undefined;
  readonly authUrl?: string | undefined;
  readonly clientId?: string | undefined;
}

/**
 * Returns a swarm that elects among the tabs of this browser, or among all devices if the options contain a hub.
 *
 * If the options contain a hub, the function loads the package `@doyen/swarm`, which needs the package `ably`. Rejects if
 * the settings are invalid. The caller connects the swarm.
 */
export async function openSwarm(channel: string, options: OpenOptions = {}): Promise<AnySwarm> {
  const { hub, key, authUrl, clientId, browser, ...rest } = options;
  if (hub === undefined) return new Swarm(channel, { ...rest, ...(browser && { browser }) });
  const { protocol, hostname, port } = URL.canParse(hub) ? new URL(hub) : { protocol: "" };
  if (!/^https?:$/.test(protocol)) {
    throw new TypeError(`hub is "${hub}", but must be an address such as https://hub.example.com`);
  }
  const tls = protocol === "https:";
  const where = { endpoint: hostname, tls, ...(tls ? { tlsPort: Number(port || 443) } : { port: Number(port || 80) }) };
  const access = Object.fromEntries(Object.entries({ key, authUrl, clientId }).filter(([, value]) => value));
  const { TabSwarm } = await import("@doyen/swarm/tabs");
  return new TabSwarm(channel, { ...rest, ...where, ...access });
}
