import { CHECKPOINT, TERM_HEADER } from "@doyen/swarm";
import type { InboundMessage } from "ably";

/** The saved state of a leader, which every member of the channel receives. */
export interface HandedOver {
  readonly term: number;
  readonly state: unknown;
}

/**
 * Reads a saved state from a message. Returns null if the message contains no saved state.
 *
 * The hub accepts a term only from the leader. Therefore a message is a saved state only if it has a term, whatever its
 * data claims.
 */
export function handedOver(message: Pick<InboundMessage, "name" | "data" | "extras">): HandedOver | null {
  if (message.name !== CHECKPOINT) return null;
  const term = Number(message.extras?.headers?.[TERM_HEADER]);
  if (!Number.isSafeInteger(term) || term <= 0) return null;
  return { term, state: (message.data as { state?: unknown } | null)?.state };
}
