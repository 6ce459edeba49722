import { MAX_SEATS, reachFor, type Game } from "./game.js";

/** How far an automatic paddle moves per frame. It is slower than the fastest ball, so it misses some. */
const REACH = 0.12;

/** Moves an automatic paddle towards the ball if that comes nearer; else the paddle stays. */
export function follow(game: Game, id: string, at: number): number {
  const seat = game.seats.findIndex((each) => each.id === id);
  if (seat < 0) return at;
  const { x, y, vx, vy } = game.ball;
  if (x * vx + y * vy <= 0 && Math.hypot(x, y) > 0.3) return at;
  const wanted = reachFor(seat, game.seats.length, Math.atan2(y, x));
  return at + Math.max(-REACH, Math.min(REACH, wanted - at));
}

/**
 * Whether to send the paddle's place, in answer to a frame.
 *
 * A place that has not changed is not sent again, unless the host has not made this member a player yet. Only frames
 * are answered, so no page sends while there is no host. Otherwise the state could drop out of the last fifty messages,
 * which the channel keeps for pages that come later.
 */
export function isNews(game: Game, id: string, at: number, told: number): boolean {
  if (!game.seats.some((seat) => seat.id === id)) return game.seats.length < MAX_SEATS;
  return !(Math.abs(at - told) <= 0.002); // Also true if nothing was sent yet, because `told` is NaN then.
}
