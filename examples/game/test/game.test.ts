import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  BALL_RADIUS,
  MAX_SCORES,
  MAX_SEATS,
  MAX_SPEED,
  NEW_GAME,
  START_SPEED,
  readGame,
  readMove,
  reachFor,
  paddleAngle,
  step,
  type Game,
} from "../src/game.js";

const STEP = 1 / 60;
const NOBODY = { present: new Set<string>(), moves: new Map<string, number>() };

/** Plays `steps` steps with random moves and returns all states. The same seed yields the same game. */
function played(from: Game, ids: readonly string[], steps: number, seed: number): Game[] {
  let state = seed;
  const lot = (): number => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) / 2 ** 31 - 1;
  const games = [from];
  for (let i = 0; i < steps; i++) {
    const moves = new Map(ids.filter(() => lot() > 0.5).map((id) => [id, lot()]));
    games.push(step(games.at(-1)!, { present: new Set(ids), moves }, STEP));
  }
  return games;
}

/** Returns a game with one player that guards the whole rim. The ball moves to the right. */
function oncoming(at: number, last = ""): Game {
  return {
    ...NEW_GAME,
    ball: { x: 1 - BALL_RADIUS - 0.001, y: 0, vx: 1, vy: 0 },
    seats: [{ id: "ann", at }],
    scores: [
      { id: "ann", points: 0 },
      { id: "ben", points: 4 },
    ],
    last,
  };
}

describe("the game", () => {
  it("is_deterministic_and_does_not_change_its_input", () => {
    const frozen = Object.freeze({ ...NEW_GAME, ball: Object.freeze({ ...NEW_GAME.ball }) });
    assert.deepEqual(played(frozen, ["ann", "ben"], 2000, 7), played(frozen, ["ann", "ben"], 2000, 7));
  });

  it("continues_from_the_saved_game", () => {
    const games = played(NEW_GAME, ["ann", "ben", "cat"], 900, 3);
    const moved = readGame(JSON.parse(JSON.stringify(games[500])));
    assert.deepEqual(moved, games[500]);
    assert.deepEqual(step(moved!, NOBODY, STEP), step(games[500]!, NOBODY, STEP));
  });

  it("never_lets_the_ball_leave_or_jump_and_never_removes_a_point", () => {
    for (const ids of [[], ["ann"], ["ann", "ben"], ["a", "b", "c", "d", "e", "f", "g", "h"]]) {
      const games = played(NEW_GAME, ids, 5000, 11 + ids.length);
      for (const [i, game] of games.entries()) {
        const before = games[i - 1] ?? game;
        assert.ok(Math.hypot(game.ball.x, game.ball.y) <= 1 - BALL_RADIUS + 1e-9);
        const way = Math.hypot(game.ball.x - before.ball.x, game.ball.y - before.ball.y);
        assert.ok(way <= MAX_SPEED * STEP + 1e-9, `${way} in one step`);
        assert.ok(game.best >= before.best);
        for (const { id, points } of before.scores) {
          assert.ok((game.scores.find((score) => score.id === id)?.points ?? -1) >= points);
        }
        assert.deepEqual(readGame(JSON.parse(JSON.stringify(game))), game);
      }
      if (ids.length > 1)
        assert.ok(
          games.at(-1)!.scores.some(({ points }) => points > 0),
          "a player has scored",
        );
    }
  });

  it("returns_a_ball_faster_when_it_hits_a_paddle", () => {
    const hit = step(oncoming(0), { ...NOBODY, present: new Set(["ann"]) }, STEP);
    assert.ok(hit.ball.vx < -1);
    assert.deepEqual([hit.last, hit.rally, hit.best], ["ann", 1, 1]);
  });

  it("gives_a_point_to_the_last_hitter_if_the_ball_passes_another_player", () => {
    const present = { ...NOBODY, present: new Set(["ann"]) };
    const missed = step(oncoming(0.9, "ben"), present, STEP);
    assert.deepEqual(missed.scores.find(({ id }) => id === "ben")?.points, 5);
    assert.deepEqual([missed.last, missed.rally], ["", 0]);
    assert.ok(Math.abs(Math.hypot(missed.ball.vx, missed.ball.vy) - START_SPEED) < 1e-9 && missed.ball.vx < 0);
    assert.deepEqual(step(oncoming(0.9, "ann"), present, STEP).scores, oncoming(0).scores);
    assert.deepEqual(step(oncoming(0.9), present, STEP).scores, oncoming(0).scores);
  });

  it("gives_a_place_to_each_present_member_that_moves_up_to_the_limit", () => {
    const ids = Array.from({ length: 10 }, (_, i) => `p${i}`);
    const full = step(NEW_GAME, { present: new Set(ids), moves: new Map(ids.map((id) => [id, 0])) }, STEP);
    assert.equal(full.seats.length, MAX_SEATS);
    const gone = step(NEW_GAME, { present: new Set(["p1"]), moves: new Map([["p2", 0]]) }, STEP);
    assert.deepEqual(gone.seats, []);
  });

  it("keeps_the_points_of_former_players_and_drops_the_lowest_scores", () => {
    const ann: Game = { ...NEW_GAME, seats: [{ id: "ann", at: 0 }], scores: [{ id: "ann", points: 3 }] };
    let game = step(ann, NOBODY, STEP);
    assert.deepEqual([game.seats, game.scores], [[], [{ id: "ann", points: 3 }]]);
    for (let i = 0; i < 2 * MAX_SCORES; i++) {
      game = step(game, { present: new Set([`p${i}`]), moves: new Map([[`p${i}`, 0]]) }, STEP);
    }
    assert.equal(game.scores.length, MAX_SCORES);
    assert.ok(game.scores.some(({ id }) => id === "ann"));
  });

  it("keeps_a_paddle_within_its_arc", () => {
    assert.equal(reachFor(0, 4, Math.PI), reachFor(0, 4, Math.PI));
    for (const angle of [-3, -1, 0, 0.4, 2, 3]) {
      const at = reachFor(1, 4, angle);
      assert.ok(Math.abs(at) <= 1);
      assert.ok(Math.abs(paddleAngle(1, 4, at) - Math.PI / 2) <= Math.PI / 4);
    }
    assert.ok(Math.abs(paddleAngle(1, 4, reachFor(1, 4, 1.7)) - 1.7) < 1e-9);
  });

  it("rejects_a_state_that_it_cannot_have_written", () => {
    const good = played(NEW_GAME, ["ann", "ben"], 60, 1).at(-1)!;
    const bad: unknown[] = [null, "game", 7, {}, [], { ...good, tick: -1 }, { ...good, tick: 0.5 }];
    bad.push({ ...good, ball: { ...good.ball, x: NaN } }, { ...good, ball: { x: 2, y: 0, vx: 0, vy: 0 } });
    bad.push({ ...good, ball: { ...good.ball, vx: 9 } }, { ...good, seats: [{ id: "ann", at: 2 }] });
    bad.push({ ...good, seats: [null] }, { ...good, scores: [{ id: "ann", points: -1 }] }, { ...good, last: 3 });
    bad.push({ ...good, seats: Array.from({ length: 9 }, (_, i) => ({ id: `${i}`, at: 0 })) });
    bad.push({ ...good, scores: [{ id: "x".repeat(65), points: 0 }] });
    for (const state of bad) assert.equal(readGame(state), null, JSON.stringify(state));
    assert.equal(readMove({ at: 7 }), 1);
    for (const data of [null, {}, { at: "0" }, { at: NaN }]) assert.equal(readMove(data), null);
  });
});
