/** Elects one leader among the tabs of a browser, without a server. Start with `Swarm`. */
export { Swarm, type SwarmOptions } from "./swarm.js";
export { NotLeadingError } from "./leadership.js";
export type * from "./api.js";
