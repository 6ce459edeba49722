import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as tabs from "../src/tabs.js";
import { run } from "./tabs/world.js";

const SEEDS = 400;

describe("400 runs of five tabs that open, close, freeze, hang, lose messages, are throttled or rejected", () => {
  it("have_one_socket_and_one_leader_and_no_needless_steal", () => {
    let steals = 0;
    let worst = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const outcome = run(tabs, seed);
      assert.deepEqual(outcome.faults, [], `seed ${seed}`);
      steals += outcome.steals;
      worst = Math.max(worst, outcome.longestWithoutMillis);
    }
    console.log(`tabs: ${steals} steals in ${SEEDS} runs, at most ${Math.round(worst)} ms without a socket`);
    assert.ok(steals > SEEDS / 10, "the runs must contain steals; otherwise the test checks nothing");
  });
});
