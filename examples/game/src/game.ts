/**
 * The step function of the game. The same state and inputs yield the same next state on every page.
 *
 * The function uses no clock, randomness or I/O. Therefore an elected page can continue from the saved state.
 *
 * The arena is a disc of radius 1. The players guard arcs of equal length. A ball that hits a paddle flies back faster,
 * up to `MAX_SPEED`. The wall reflects a ball that passes a paddle. The player that hit the ball last then gets a
 * point, unless the ball has passed this player's own paddle. The ball flies on from the wall, so it never jumps.
 */

export interface Ball {
  readonly x: number;
  readonly y: number;
  readonly vx: number;
  readonly vy: number;
}

/** A player. `at` is the paddle's place in its arc, from -1 to 1. */
export interface Seat {
  readonly id: string;
  readonly at: number;
}

export interface Score {
  readonly id: string;
  readonly points: number;
}

export interface Game {
  /** The number of steps so far, by all hosts. */
  readonly tick: number;
  readonly ball: Ball;
  readonly seats: readonly Seat[];
  /** The scores, including the scores of players that have left. */
  readonly scores: readonly Score[];
  /** The player that hit the ball last; empty if no player has hit the ball since it last passed a paddle. */
  readonly last: string;
  /** The number of hits since the ball last passed a paddle. */
  readonly rally: number;
  readonly best: number;
}

export const STEPS_PER_SECOND = 60;
export const BALL_RADIUS = 0.035;
/** The initial speed of the ball, in radii of the arena per second. */
export const START_SPEED = 1;
export const MAX_SPEED = 2.4;
/**
 * The maximum number of players. With more players, the arcs would be too short. Other members watch until a player
 * leaves.
 */
export const MAX_SEATS = 8;
/**
 * The maximum number of scores. Above this number, the game drops the lowest score among the scores of players that
 * have left.
 */
export const MAX_SCORES = 16;
const MAX_ID = 64;
/**
 * `FASTER` is the factor by which a hit increases the speed. `TURN` is the maximum angle, in radians, between the new
 * direction and the direction to the centre.
 */
const FASTER = 1.1;
const TURN = 0.75;
const SERVE = 2.2;

/** A new game, which has a ball in the middle and no players. */
export const NEW_GAME: Game = {
  tick: 0,
  ball: { x: 0, y: 0, vx: START_SPEED * Math.cos(SERVE), vy: START_SPEED * Math.sin(SERVE) },
  seats: [],
  scores: [],
  last: "",
  rally: 0,
  best: 0,
};

/** The inputs that reached the host since the last step. */
export interface Inputs {
  readonly present: ReadonlySet<string>;
  /**
   * The new places of the paddles. The first move of a present member makes this member a player, unless the game
   * already has `MAX_SEATS` players.
   */
  readonly moves: ReadonlyMap<string, number>;
}

export function step(game: Game, inputs: Inputs, seconds: number): Game {
  const seated = { ...game, ...seat(game, inputs), tick: game.tick + 1 };
  return fly(seated, seconds);
}

/** Returns the middle of a player's arc and the arc's extent to either side, in radians. */
export function arc(seat: number, seats: number): { readonly middle: number; readonly reach: number } {
  return { middle: (2 * Math.PI * seat) / seats, reach: Math.PI / seats };
}

/** Returns half the width of a paddle, in radians. */
export function paddle(seats: number): number {
  return Math.min(0.22, (0.26 * Math.PI) / seats);
}

/** Returns the angle of a paddle's middle. */
export function paddleAngle(seat: number, seats: number, at: number): number {
  const { middle, reach } = arc(seat, seats);
  return middle + at * (reach - paddle(seats));
}

/** Returns the place, from -1 to 1, at which the middle of a paddle is as near as possible to this angle. */
export function reachFor(seat: number, seats: number, angle: number): number {
  const { middle, reach } = arc(seat, seats);
  return clamp(turn(angle - middle) / (reach - paddle(seats)));
}

/** Parses a saved state. Returns null if the value is not a valid state of this game. */
export function readGame(state: unknown): Game | null {
  const found = state as Partial<Game> | null | undefined;
  if (typeof found !== "object" || found === null) return null;
  const { tick, ball, seats, scores, last, rally, best } = found;
  if (![tick, rally, best].every((n) => Number.isSafeInteger(n) && (n as number) >= 0)) return null;
  if (typeof ball !== "object" || ball === null) return null;
  if (![ball.x, ball.y, ball.vx, ball.vy].every((n) => Number.isFinite(n))) return null;
  if (Math.hypot(ball.x, ball.y) > 1 || Math.hypot(ball.vx, ball.vy) > MAX_SPEED + 1e-6) return null;
  if (typeof last !== "string" || !Array.isArray(seats) || !Array.isArray(scores)) return null;
  if (seats.length > MAX_SEATS || scores.length > MAX_SCORES) return null;
  if (!seats.every((each) => isId(each?.id) && Math.abs(each.at) <= 1)) return null;
  if (!scores.every((each) => isId(each?.id) && Number.isSafeInteger(each.points) && each.points >= 0)) return null;
  return found as Game;
}

/** Reads the requested place of a paddle from a message. Returns null if the message contains no place. */
export function readMove(data: unknown): number | null {
  const at = (data as { at?: unknown } | null | undefined)?.at;
  return typeof at === "number" && Number.isFinite(at) ? clamp(at) : null;
}

/** Removes players that have left, moves the paddles, and adds present members that have sent a first move. */
function seat(game: Game, { present, moves }: Inputs): Pick<Game, "seats" | "scores"> {
  const seats = game.seats
    .filter(({ id }) => present.has(id))
    .map((each) => ({ id: each.id, at: clamp(moves.get(each.id) ?? each.at) }));
  for (const [id, at] of moves) {
    if (seats.length >= MAX_SEATS) break;
    if (present.has(id) && isId(id) && !seats.some((each) => each.id === id)) seats.push({ id, at: clamp(at) });
  }
  const newcomers = seats.filter(({ id }) => !game.scores.some((score) => score.id === id));
  if (newcomers.length === 0) return { seats, scores: game.scores };
  const scores = [...game.scores, ...newcomers.map(({ id }) => ({ id, points: 0 }))];
  while (scores.length > MAX_SCORES) {
    const left = scores.filter(({ id }) => !seats.some((each) => each.id === id));
    const least = left.reduce((a, b) => (b.points < a.points ? b : a));
    scores.splice(scores.indexOf(least), 1);
  }
  return { seats, scores };
}

function fly(game: Game, seconds: number): Game {
  const { vx, vy } = game.ball;
  const [x, y] = [game.ball.x + vx * seconds, game.ball.y + vy * seconds];
  const distance = Math.hypot(x, y);
  const edge = 1 - BALL_RADIUS;
  if (distance <= edge || x * vx + y * vy <= 0) return { ...game, ball: { x, y, vx, vy } };
  const angle = Math.atan2(y, x);
  const there = { x: edge * Math.cos(angle), y: edge * Math.sin(angle) };
  const defender = defenderOf(game.seats, angle);
  const speed = Math.hypot(vx, vy);
  if (defender !== null && Math.abs(defender.off) <= 1) {
    const rally = game.rally + 1;
    const thither = thrown(angle + Math.PI - defender.off * TURN, Math.min(speed * FASTER, MAX_SPEED));
    return { ...game, ball: { ...there, ...thither }, last: defender.id, rally, best: Math.max(game.best, rally) };
  }
  // The wall reflects the ball like a mirror and resets its speed to `START_SPEED`.
  const outward = vx * Math.cos(angle) + vy * Math.sin(angle);
  const back = Math.atan2(vy - 2 * outward * Math.sin(angle), vx - 2 * outward * Math.cos(angle));
  const scores = game.scores.map((score) =>
    defender !== null && score.id === game.last && score.id !== defender.id
      ? { ...score, points: score.points + 1 }
      : score,
  );
  return { ...game, ball: { ...there, ...thrown(back, START_SPEED) }, scores, last: "", rally: 0 };
}

/**
 * Returns the player whose arc contains this angle, and the ball's offset from the paddle. An offset from -1 to
 * 1 is a hit.
 */
function defenderOf(seats: readonly Seat[], angle: number): { readonly id: string; readonly off: number } | null {
  for (const [i, { id, at }] of seats.entries()) {
    const { middle, reach } = arc(i, seats.length);
    if (Math.abs(turn(angle - middle)) > reach + 1e-9) continue;
    // The radius of the ball is added, because the rim of the ball can touch the paddle even if the middle of the ball
    // does not.
    return { id, off: turn(angle - paddleAngle(i, seats.length, at)) / (paddle(seats.length) + BALL_RADIUS) };
  }
  return null;
}

function thrown(angle: number, speed: number): { vx: number; vy: number } {
  return { vx: speed * Math.cos(angle), vy: speed * Math.sin(angle) };
}

/** Normalises an angle to the range from -π to π. */
function turn(angle: number): number {
  return Math.atan2(Math.sin(angle), Math.cos(angle));
}

function clamp(at: number): number {
  return Math.max(-1, Math.min(1, at));
}

function isId(id: unknown): id is string {
  return typeof id === "string" && id.length > 0 && id.length <= MAX_ID;
}
