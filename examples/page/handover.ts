import { CHECKPOINT, TERM_HEADER } from "@doyen/swarm";
import type { InboundMessage } from "ably";

/** What a leader left for the next one, as every member of the channel hears it. */
export interface HandedOver {
  readonly term: number;
  readonly state: unknown;
}

/**
 * Reads the state that a leader saved; null if this is something else. The hub lets nobody but the leader put its term on
 * a message, so what bears none is nobody's, whatever it says of itself.
 */
export function handedOver(message: Pick<InboundMessage, "name" | "data" | "extras">): HandedOver | null {
  if (message.name !== CHECKPOINT) return null;
  const term = Number(message.extras?.headers?.[TERM_HEADER]);
  if (!Number.isSafeInteger(term) || term <= 0) return null;
  return { term, state: (message.data as { state?: unknown } | null)?.state };
}
