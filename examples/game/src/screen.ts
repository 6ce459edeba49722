import { handedOver } from "../../page/handover.js";
import { readGame, type Game } from "./game.js";
import type { InboundMessage } from "ably";

/** The last state that this page received, with its term and host. */
export interface Seen {
  readonly term: number;
  readonly host: string;
  readonly game: Game | null;
}

export const NOTHING_SEEN: Seen = { term: 0, host: "", game: null };

type Received = Pick<InboundMessage, "name" | "data" | "extras" | "clientId">;

/**
 * Returns the new state if the message is a saved state of the host.
 *
 * Returns `seen` itself for any other message, for a state of an earlier term, and for a state of the same term that is
 * not newer than `seen`.
 */
export function take(seen: Seen, message: Received): Seen {
  const handed = handedOver(message);
  if (handed === null || handed.term < seen.term) return seen;
  const game = readGame(handed.state);
  if (game === null) return seen;
  // States arrive in order, but a page that attaches late receives the last states again.
  if (handed.term === seen.term && seen.game !== null && game.tick <= seen.game.tick) return seen;
  return { term: handed.term, host: message.clientId ?? "", game };
}

/** Describes the change between two states for the event line. Returns null if no change is worth a report. */
export function happened(before: Seen, after: Seen, nameOf: (id: string) => string): string | null {
  if (before.game === null || after.game === null) return null;
  if (after.term !== before.term) {
    return `${nameOf(after.host)} hosts, in term ${after.term}: the ball continues from step ${before.game.tick}`;
  }
  for (const { id, points } of after.game.scores) {
    if (points > pointsOf(before.game, id)) return `${nameOf(id)} gets a point: the ball passed another paddle`;
  }
  const newcomer = after.game.seats.find(({ id }) => !before.game?.seats.some((each) => each.id === id));
  if (newcomer !== undefined) return `${nameOf(newcomer.id)} plays`;
  const left = before.game.seats.find(({ id }) => !after.game?.seats.some((each) => each.id === id));
  return left === undefined ? null : `${nameOf(left.id)} has left`;
}

export function pointsOf(game: Game, id: string): number {
  return game.scores.find((score) => score.id === id)?.points ?? 0;
}

/** Describes who gets the next point, and how often the paddles have hit the ball in a row. */
export function nextPoint({ last, rally, best }: Game, nameOf: (id: string) => string): string {
  const hits = `${rally} ${rally === 1 ? "hit" : "hits"} in a row, ${best} at most.`;
  if (last === "") return `Nobody has hit the ball since it passed a paddle. ${hits}`;
  return `${nameOf(last)} hit the ball last, and gets a point if it passes another paddle. ${hits}`;
}
