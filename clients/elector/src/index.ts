/** Who leads, asked of the elector beside an app. The entry is `Elector`. */
export { Elector, type WatchOptions } from "./elector.js";
export { ElectorError, LeadershipLostError } from "./errors.js";
export type { Leader } from "./leader.js";
export { Leadership } from "./leadership.js";
export type { ElectorOptions } from "./settings.js";
