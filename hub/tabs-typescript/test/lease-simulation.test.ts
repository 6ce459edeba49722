import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as lease from "../src/lease.js";
import { run } from "./world.js";

const SEEDS = 1000;

describe("1000 runs of tabs that close, crash, freeze, hang, are throttled, resign or lose writes", () => {
  it("have_at_most_one_leader_at_any_instant_and_rising_terms_and_one_leader_at_the_end", () => {
    let terms = 0;
    let worst = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const outcome = run(lease, seed);
      assert.deepEqual(outcome.faults, [], `seed ${seed}`);
      terms += outcome.terms;
      worst = Math.max(worst, outcome.longestWithoutMillis);
    }
    console.log(`tabs: ${terms} terms in ${SEEDS} runs, at most ${Math.round(worst)} ms without a leader`);
    assert.ok(terms > SEEDS * 5, "the runs must contain handovers; otherwise the test checks nothing");
  });
});
