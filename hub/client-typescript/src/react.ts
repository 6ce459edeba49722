/** Swarm for React: `useLeader`, `LeaderOnly`, `SwarmProvider`. Needs React 18 or newer. */
import {
  createContext,
  createElement,
  Fragment,
  useContext,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from "react";
import type { Leadership } from "./leadership.js";
import { NOWHERE, shared, type SharedOptions, type LeaderSnapshot } from "./shared.js";

export type { SharedOptions, LeaderSnapshot } from "./shared.js";

const Settings = createContext<SharedOptions>({});

/**
 * Sets the hub and the behaviour of swarms for all hooks below it.
 *
 * It reads the options at its first render. To change them, give it another `key`.
 */
export function SwarmProvider(props: { readonly options: SharedOptions; readonly children?: ReactNode }): ReactNode {
  const [options] = useState(props.options);
  return createElement(Settings.Provider, { value: options }, props.children);
}

/**
 * Takes part in the channel's election and returns its state.
 *
 * All users of the same channel and options on a page share one swarm. The tabs of a browser share one connection. On a
 * server it renders as a tab that does not lead.
 *
 * The rendered state may be out of date, because the leadership may end between two renders. Do work that must not run
 * twice in an effect that depends on `leadership`. Check `leadership.isLeader` before each act, and send `term` along.
 *
 * `options` add to those of the provider. They are compared by value, without functions.
 */
export function useLeader(channel: string, options?: SharedOptions): LeaderSnapshot {
  const outer = useContext(Settings);
  const all = options === undefined ? outer : ({ ...outer, ...options } as SharedOptions);
  const found = shared(channel, all);
  return useSyncExternalStore(found.watch, found.look, onServer);
}

/** Renders its children in the tab that leads, and `fallback` in all others. */
export function LeaderOnly(props: {
  readonly channel: string;
  readonly options?: SharedOptions;
  readonly fallback?: ReactNode;
  readonly children?: ReactNode | ((leadership: Leadership) => ReactNode);
}): ReactNode {
  const { leadership } = useLeader(props.channel, props.options);
  const { children, fallback } = props;
  if (leadership === null) return fallback;
  const shown = typeof children === "function" ? children(leadership) : children;
  // The key is the term, so React does not reuse in the next term what the children set up in this one.
  return createElement(Fragment, { key: leadership.term }, shown);
}

function onServer(): LeaderSnapshot {
  return NOWHERE;
}
