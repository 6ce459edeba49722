import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as ranking from "../src/ranking.js";
import { runTransfers } from "./simulation/transfers.js";
import { run } from "./simulation/world.js";

const SEEDS = 400;

describe("400 runs of five pages with disconnections, kills, freezes, resignations, leaves and transfers", () => {
  it("have_at_most_one_leader_on_a_hub_with_claims_and_exactly_one_after_healing", () => {
    let elections = 0;
    let leaderless = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const outcome = run(ranking, seed, true);
      const which = `seed ${seed}: ${JSON.stringify(outcome)}`;
      assert.equal(outcome.dualMillis, 0, which);
      assert.equal(outcome.termReused, false, which);
      assert.equal(outcome.leadersAtEnd.length, outcome.alive === 0 ? 0 : 1, which);
      assert.ok(outcome.agreed, which);
      elections += outcome.elections;
      leaderless += outcome.leaderlessMillis;
    }
    console.log(`claims: ${elections} elections, mean ${Math.round(leaderless / SEEDS)} ms of 148 s without a leader`);
  });

  it("have_exactly_one_leader_after_healing_on_a_hub_without_claims", () => {
    let dual = 0;
    let worst = 0;
    let runs = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const outcome = run(ranking, seed, false);
      const which = `seed ${seed}: ${JSON.stringify(outcome)}`;
      assert.equal(outcome.leadersAtEnd.length, outcome.alive === 0 ? 0 : 1, which);
      assert.ok(outcome.agreed, which);
      dual += outcome.dualMillis;
      worst = Math.max(worst, outcome.dualMillis);
      runs += Number(outcome.dualMillis > 0);
    }
    console.log(`no claims: two leaders in ${runs} of ${SEEDS} runs, for at most ${Math.round(worst)} ms in a run`);
    assert.ok(worst < 3000, `${worst} ms with two leaders in one run`);
  });
});

describe("400 runs without faults of eight pages with six transfers each", () => {
  it("elect_the_successor_next_or_another_member_if_the_successor_is_gone", () => {
    let absent = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const outcome = runTransfers(ranking, seed);
      assert.deepEqual(outcome.faults, [], `seed ${seed}`);
      absent += outcome.absent;
    }
    assert.ok(absent > 100, `only ${absent} successors were gone`);
  });
});
