/** The hook `useLeader` and the component `LeaderOnly` for React 18 or newer. */
import { createElement, Fragment, useEffect, useState, type ReactNode } from "react";
import type { AnySwarm, LeaderSnapshot, Leadership } from "./api.js";
import { NOWHERE, watchLeader } from "./leader-snapshot.js";

export type { LeaderSnapshot } from "./api.js";

/**
 * Connects the swarm and returns its state. Create the swarm outside the component.
 *
 * The rendered state can be out of date. If work must not run twice, do it in an effect that depends on `leadership`,
 * and check `leadership.isLeader` before each act. On a server, the hook returns the state of a member that does not
 * lead.
 */
export function useLeader(swarm: AnySwarm): LeaderSnapshot {
  const [snapshot, setSnapshot] = useState(NOWHERE);
  useEffect(() => watchLeader(swarm, setSnapshot), [swarm]);
  return snapshot;
}

/** Renders its children in the member that leads, and `fallback` in all others. */
export function LeaderOnly(props: {
  readonly swarm: AnySwarm;
  readonly fallback?: ReactNode;
  readonly children?: ReactNode | ((leadership: Leadership) => ReactNode);
}): ReactNode {
  const { leadership } = useLeader(props.swarm);
  const { children, fallback } = props;
  if (leadership === null) return fallback;
  const shown = typeof children === "function" ? children(leadership) : children;
  // The key is the term, so that React creates the children again in each term.
  return createElement(Fragment, { key: leadership.term }, shown);
}
