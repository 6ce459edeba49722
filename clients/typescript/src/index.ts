/** A client that requests the leader from the elector beside an app. Start with `Elector`. */
export { Elector, type LeadingOptions, type WatchOptions } from "./elector.js";
export { ElectorError, LeadershipLostError } from "./errors.js";
export type { Leader } from "./leader.js";
export { Leadership } from "./leadership.js";
export type { ElectorOptions } from "./settings.js";
