import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NEW_GAME, type Game } from "../src/game.js";
import { follow, mustSend } from "../src/hand.js";

const game: Game = {
  ...NEW_GAME,
  ball: { x: 0.5, y: 0.2, vx: 0.6, vy: 0.3 },
  seats: [
    { id: "ann", at: 0 },
    { id: "ben", at: 0 },
  ],
};

describe("a paddle that plays automatically", () => {
  it("follows_an_approaching_ball_at_a_limited_speed", () => {
    const first = follow(game, "ann", 0);
    assert.ok(first > 0 && first <= 0.12);
    let at = 0;
    for (let i = 0; i < 20; i++) at = follow(game, "ann", at);
    assert.ok(at > first && follow(game, "ann", at) === at, "the paddle stays where it meets the ball");
  });

  it("stays_if_the_ball_moves_away_or_the_player_has_no_place", () => {
    assert.equal(follow({ ...game, ball: { ...game.ball, vx: -0.6, vy: -0.3 } }, "ann", 0.3), 0.3);
    assert.equal(follow(game, "cat", 0.3), 0.3);
  });

  it("sends_its_place_if_it_moved_or_requests_a_free_place", () => {
    assert.equal(mustSend(game, "ann", 0.3, 0.3), false);
    assert.equal(mustSend(game, "ann", 0.4, 0.3), true);
    assert.equal(mustSend(game, "ann", 0.4, NaN), true);
    assert.equal(mustSend(game, "cat", 0.3, 0.3), true);
    const full = { ...game, seats: Array.from({ length: 8 }, (_, i) => ({ id: `p${i}`, at: 0 })) };
    assert.equal(mustSend(full, "cat", 0.3, 0.3), false);
  });
});
