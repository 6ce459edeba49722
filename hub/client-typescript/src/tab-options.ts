import type { Outage } from "./outage.js";
import { connectionOf, settingsOf, type WithConnection } from "./options.js";
import type { Swarm } from "./swarm.js";
import type { TabPlatform } from "./tab-platform.js";
import type { TabSettings } from "./tabs.js";
import { VERSION } from "./tab-messages.js";

/**
 * The settings of a `TabSwarm`. They are the settings of a `Swarm` with its connection, and settings for the shared
 * socket.
 *
 * The tab that holds the lock opens the socket with its own settings. So use the same settings in all tabs.
 */
export type TabOptions = WithConnection & {
  /**
   * Tabs with the same scope share a socket.
   *
   * By default, tabs share a socket if they have the same channel, hub, client id, `candidate` and key name. Set a
   * scope if you connect by `authCallback` and the tabs of one browser can belong to different users, because the swarm
   * cannot compare functions.
   */
  scope?: string;
  /**
   * The silence of the tab with the socket after which the other tabs check it. Values are 2000 to 60000 milliseconds,
   * and the default is 5000.
   */
  silentMillis?: number;
  /** Creates the swarm of the tab that holds the lock. Only tests set this option. */
  swarm?: (clientId: string, outage: Outage) => Swarm;
  /** Replaces the functions of the browser. Only tests set this option. */
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
  heartbeatMillis: 1000,
  bidMillis: 1000,
  lagMillis: 1500,
  stealCooldownMillis: 30_000,
  stealCooldownMaxMillis: 600_000,
  unfitMillis: 5000,
  unfitMaxMillis: 60_000,
};

/** Returns the common name of the lock and the BroadcastChannel. The name contains no secret. */
export function scopeOf(channel: string, options: TabOptions): string {
  const { endpoint, realtimeHost, restHost, port, tlsPort, tls, clientId, key, authUrl, candidate } = options;
  const where = [endpoint, realtimeHost, restHost, port, tlsPort, tls, authUrl, key?.split(":")[0]];
  const scope = options.scope ?? JSON.stringify([...where, clientId, candidate].map((one) => one ?? null));
  return `doyen/${VERSION}/${channel}/${scope}`;
}

/**
 * Returns the settings of the `Swarm`, without the settings for the shared socket. Throws on invalid settings. The
 * function opens no connection, so it does not check the credentials.
 */
export function swarmOptionsOf(channel: string, options: TabOptions): WithConnection {
  const { scope: _, silentMillis: __, swarm: ___, platform: ____, ...rest } = options;
  settingsOf(rest);
  connectionOf(channel, rest);
  return rest;
}
