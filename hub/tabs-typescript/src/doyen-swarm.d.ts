/**
 * The part of `@doyen/swarm` that `open.ts` uses. A declaration here allows this package to build before `@doyen/swarm`.
 * The page upgraded-tab.ts of the acceptance tests checks that both types agree.
 */
declare module "@doyen/swarm/tabs" {
  export const TabSwarm: new (channel: string, options: object) => import("./api.js").AnySwarm;
}
