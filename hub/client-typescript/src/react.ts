/** The Swarm hooks and components for React 18 or newer: `useLeader`, `LeaderOnly`, `SwarmProvider`. */
import type { Leadership } from "@doyen/tabs/api";
import {
  createContext,
  createElement,
  Fragment,
  useContext,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from "react";
import { NOWHERE, shared, type SharedOptions, type LeaderSnapshot } from "./shared.js";

export type { SharedOptions, LeaderSnapshot } from "./shared.js";

const Settings = createContext<SharedOptions>({});

/**
 * Sets the hub and the behaviour of swarms for all hooks below this component.
 *
 * The component reads the options at its first render. To change the options, give the component another `key`.
 */
export function SwarmProvider(props: { readonly options: SharedOptions; readonly children?: ReactNode }): ReactNode {
  const [options] = useState(props.options);
  return createElement(Settings.Provider, { value: options }, props.children);
}

/**
 * Takes part in the channel's election and returns its state.
 *
 * All components of a page with the same channel and options share one swarm. The tabs of a browser share one
 * connection, unless the options contain a client. On a server, the hook returns the state of a tab that does not lead.
 *
 * The rendered state can be out of date, because the leadership can end between two renders. If work must not run
 * twice, do it in an effect that depends on `leadership`. Check `leadership.isLeader` before each act, and send `term`
 * with it.
 *
 * The `options` override those of the provider. To find the shared swarm, the hook compares options by value and
 * ignores functions.
 */
export function useLeader(channel: string, options?: SharedOptions): LeaderSnapshot {
  const outer = useContext(Settings);
  const all = options === undefined ? outer : ({ ...outer, ...options } as SharedOptions);
  const found = shared(channel, all);
  return useSyncExternalStore(found.watch, found.getSnapshot, onServer);
}

/** Renders its children in the tab that leads, and `fallback` in all other tabs. */
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
  // The key is the term, so that React creates the children again in each term.
  return createElement(Fragment, { key: leadership.term }, shown);
}

function onServer(): LeaderSnapshot {
  return NOWHERE;
}
