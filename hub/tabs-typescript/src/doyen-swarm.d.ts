/**
 * The part of `@doyen/swarm/tabs` that `open.ts` uses. The compiler uses this file instead of that package, because
 * that package is built later and uses the types of this one. The page upgraded-tab.ts of the acceptance tests checks
 * that both types agree.
 */
export const TabSwarm: new (channel: string, options: object) => import("./api.js").AnySwarm;
