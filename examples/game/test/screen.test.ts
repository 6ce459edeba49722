import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NEW_GAME, type Game } from "../src/game.js";
import { happened, nextPoint, NOTHING_SEEN, take, type Seen } from "../src/screen.js";

function frame(term: number | null, game: unknown, by = "ann", name = "doyen:checkpoint") {
  const extras = term === null ? {} : { headers: { "doyen-term": term } };
  return { name, clientId: by, data: { seq: 1, state: game }, extras };
}

const at = (tick: number, more: Partial<Game> = {}): Game => ({ ...NEW_GAME, tick, ...more });

describe("a page of the game", () => {
  it("accepts_the_frames_of_the_host_in_order_and_then_those_of_the_next_host", () => {
    let seen = take(NOTHING_SEEN, frame(3, at(10)));
    assert.deepEqual(seen, { term: 3, host: "ann", game: at(10) });
    seen = take(seen, frame(3, at(13)));
    seen = take(seen, frame(4, at(16), "ben"));
    assert.deepEqual([seen.term, seen.host, seen.game?.tick], [4, "ben", 16]);
  });

  it("ignores_messages_of_an_ended_term", () => {
    const seen = take(NOTHING_SEEN, frame(4, at(16), "ben"));
    assert.equal(take(seen, frame(3, at(99))), seen);
  });

  it("ignores_repeated_and_older_frames", () => {
    const seen = take(NOTHING_SEEN, frame(4, at(16)));
    assert.equal(take(seen, frame(4, at(16))), seen);
    assert.equal(take(seen, frame(4, at(15))), seen);
  });

  it("ignores_messages_without_a_term", () => {
    const forged = { ...frame(null, at(99)), data: { term: 99, seq: 1, state: at(99) } };
    assert.equal(take(NOTHING_SEEN, forged), NOTHING_SEEN);
    assert.equal(take(NOTHING_SEEN, frame(5, at(99), "ann", "move")), NOTHING_SEEN);
    assert.equal(take(NOTHING_SEEN, frame(5, "no game")), NOTHING_SEEN);
    assert.equal(take(NOTHING_SEEN, { ...frame(5, at(1)), data: null }), NOTHING_SEEN);
  });

  it("reports_changes_of_the_host_the_points_and_the_players", () => {
    const name = (id: string): string => id.toUpperCase();
    const seen = (term: number, host: string, more: Partial<Game>): Seen => ({ term, host, game: at(7, more) });
    const ann = seen(1, "ann", { scores: [{ id: "ann", points: 1 }] });
    assert.equal(happened(NOTHING_SEEN, ann, name), null);
    assert.equal(happened(ann, ann, name), null);
    assert.equal(happened(ann, seen(2, "ben", {}), name), "BEN hosts, in term 2: the ball continues from step 7");
    const scored = seen(1, "ann", { scores: [{ id: "ann", points: 2 }] });
    assert.equal(happened(ann, scored, name), "ANN gets a point: the ball passed another paddle");
    const joined = seen(1, "ann", { seats: [{ id: "cat", at: 0 }] });
    assert.equal(happened(seen(1, "ann", {}), joined, name), "CAT plays");
    assert.equal(happened(joined, seen(1, "ann", {}), name), "CAT has left");
  });

  it("names_the_player_that_gets_the_next_point", () => {
    const name = (id: string): string => id.toUpperCase();
    assert.equal(
      nextPoint(at(7, { last: "ann", rally: 1, best: 4 }), name),
      "ANN hit the ball last, and gets a point if it passes another paddle. 1 hit in a row, 4 at most.",
    );
    assert.match(nextPoint(at(7), name), /^Nobody has hit the ball since it passed a paddle\. 0 hits in a row/);
  });
});
