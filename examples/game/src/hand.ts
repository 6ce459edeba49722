import { MAX_SEATS, reachFor, type Game } from "./game.js";

/**
 * The maximum distance that an automatic paddle moves per frame. The paddle is slower than the fastest
 * ball, so it misses some balls.
 */
const REACH = 0.12;

/** Moves an automatic paddle towards the ball while the ball flies outwards or is near the centre. */
export function follow(game: Game, id: string, at: number): number {
  const seat = game.seats.findIndex((each) => each.id === id);
  if (seat < 0) return at;
  const { x, y, vx, vy } = game.ball;
  if (x * vx + y * vy <= 0 && Math.hypot(x, y) > 0.3) return at;
  const target = reachFor(seat, game.seats.length, Math.atan2(y, x));
  return at + Math.max(-REACH, Math.min(REACH, target - at));
}

/**
 * Returns true if this page must send the place of its paddle in answer to a frame.
 *
 * An unchanged place is sent again only while the host has not made this member a player yet. Pages answer only frames,
 * so a page sends at most one message while the game has no host. With more messages, the pages could displace the
 * saved state from the last fifty messages of the channel. A page that attaches later receives only these fifty
 * messages.
 */
export function mustSend(game: Game, id: string, at: number, sent: number): boolean {
  if (!game.seats.some((seat) => seat.id === id)) return game.seats.length < MAX_SEATS;
  return !(Math.abs(at - sent) <= 0.002); // Also true if no place was sent yet, because `sent` is then NaN.
}
