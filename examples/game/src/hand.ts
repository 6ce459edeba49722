import { MAX_SEATS, reachFor, type Game } from "./game.js";

/** How far a hand that plays by itself moves its paddle at a frame: slower than the ball at its fastest, so it misses some. */
const REACH = 0.12;

/** Where a paddle goes that plays by itself: after the ball, if that comes nearer; else it stays. */
export function follow(game: Game, id: string, at: number): number {
  const seat = game.seats.findIndex((each) => each.id === id);
  if (seat < 0) return at;
  const { x, y, vx, vy } = game.ball;
  if (x * vx + y * vy <= 0 && Math.hypot(x, y) > 0.3) return at;
  const wanted = reachFor(seat, game.seats.length, Math.atan2(y, x));
  return at + Math.max(-REACH, Math.min(REACH, wanted - at));
}

/**
 * Whether a paddle's place is to be told now, in answer to a frame. One that has not moved is not told again, except to a
 * host that has not given it a seat yet. And since only a frame is answered, nobody talks while nobody hosts: the channel keeps its last
 * fifty messages for those who come, and the state must be among them.
 */
export function isNews(game: Game, id: string, at: number, told: number): boolean {
  if (!game.seats.some((seat) => seat.id === id)) return game.seats.length < MAX_SEATS;
  return !(Math.abs(at - told) <= 0.002); // Also if nothing was told yet: NaN.
}
