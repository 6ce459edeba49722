import { CHECKPOINT, TERM_HEADER } from "@doyen/swarm";
import type { InboundMessage } from "ably";

/** The saved state of a leader, as every member of the channel receives it. */
export interface HandedOver {
  readonly term: number;
  readonly state: unknown;
}

/**
 * Reads a saved state from a message; null if the message contains none.
 *
 * The hub accepts a term only from the leader. So a message without a term is not a leader's, whatever its data claims.
 */
export function handedOver(message: Pick<InboundMessage, "name" | "data" | "extras">): HandedOver | null {
  if (message.name !== CHECKPOINT) return null;
  const term = Number(message.extras?.headers?.[TERM_HEADER]);
  if (!Number.isSafeInteger(term) || term <= 0) return null;
  return { term, state: (message.data as { state?: unknown } | null)?.state };
}
