import { connectionOf, settingsOf, type WithConnection } from "./options.js";
import type { Swarm } from "./swarm.js";
import type { TabPlatform } from "./tab-platform.js";
import type { TabSettings } from "./tabs.js";
import { VERSION } from "./tab-words.js";

/**
 * Settings of the swarm and of its connection, as for `Swarm`; and those of the tabs. Whichever tab holds the socket
 * opens it with its own settings, so they should be the same in all.
 */
export type TabOptions = WithConnection & {
  /**
   * Which tabs share a socket: those that name the same scope. Without it, those with the same channel, hub, client id
   * and `candidate`, and the same key's name. Name it if you connect by `authCallback`, which cannot be compared, and
   * the tabs of one browser may be different users.
   */
  scope?: string;
  /** After how much silence of the tab with the socket the others ask whether it still lives, 2000 to 60000. Default 5000. */
  silentMillis?: number;
  /** For tests: makes the swarm of the tab that holds the lock. */
  swarm?: (clientId: string) => Swarm;
  /** For tests. */
  platform?: TabPlatform;
};

export function tabSettingsOf(options: TabOptions): TabSettings {
  const silentMillis = options.silentMillis ?? 5000;
  if (!Number.isInteger(silentMillis) || silentMillis < 2000 || silentMillis > 60_000) {
    throw new RangeError(`silentMillis is ${silentMillis}, but must be an integer from 2000 to 60000`);
  }
  return { ...FIXED, silentMillis };
}

const FIXED = {
  beatMillis: 1000,
  bidMillis: 1000,
  lagMillis: 1500,
  restMillis: 30_000,
  restMaxMillis: 600_000,
  unfitMillis: 5000,
  unfitMaxMillis: 60_000,
};

/** The name of the lock and of the channel. No secret is in it. */
export function scopeOf(channel: string, options: TabOptions): string {
  const { endpoint, realtimeHost, restHost, port, tlsPort, tls, clientId, key, authUrl, candidate } = options;
  const where = [endpoint, realtimeHost, restHost, port, tlsPort, tls, authUrl, key?.split(":")[0]];
  const scope = options.scope ?? JSON.stringify([...where, clientId, candidate].map((one) => one ?? null));
  return `doyen/${VERSION}/${channel}/${scope}`;
}

/** The same settings without those of the tabs, checked as far as can be without a connection. */
export function swarmOptionsOf(options: TabOptions): WithConnection {
  const { scope: _, silentMillis: __, swarm: ___, platform: ____, ...rest } = options;
  settingsOf(rest);
  connectionOf(rest);
  return rest;
}
