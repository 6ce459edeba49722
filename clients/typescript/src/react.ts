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
import { NOWHERE, shared, type SharedOptions, type Standing } from "./shared.js";

export type { SharedOptions, Standing } from "./shared.js";

const Settings = createContext<SharedOptions>({});

/**
 * Where the hub is, and how swarms behave, for all hooks below. Options are read when it is first rendered: to change
 * them, give it another `key`.
 */
export function SwarmProvider(props: { readonly options: SharedOptions; readonly children?: ReactNode }): ReactNode {
  const [options] = useState(props.options);
  return createElement(Settings.Provider, { value: options }, props.children);
}

/**
 * Takes part in the channel's election, and says how it stands. All who name the same channel and options, in whichever
 * part of the page, share one swarm, and the tabs of a browser one connection. Renders on a server as a tab that does
 * not lead.
 *
 * What is rendered is what was so: between two renders the leadership may have ended. What must happen once belongs
 * into an effect that depends on `leadership`, asks `leadership.isLeader` before each act, and carries `term`.
 *
 * `options` add to those of the provider; they are compared by their values, functions not at all.
 */
export function useLeader(channel: string, options?: SharedOptions): Standing {
  const outer = useContext(Settings);
  const all = options === undefined ? outer : ({ ...outer, ...options } as SharedOptions);
  const found = shared(channel, all);
  return useSyncExternalStore(found.watch, found.look, onServer);
}

/** Shows its children in the tab that leads, and `fallback` in all others. */
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
  // A key by term: what one term set up is not left standing in the next.
  return createElement(Fragment, { key: leadership.term }, shown);
}

function onServer(): Standing {
  return NOWHERE;
}
