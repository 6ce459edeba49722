import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as ranking from "../src/ranking.js";
import { runTransfers } from "./simulation/transfers.js";
import { run } from "./simulation/world.js";

const SEEDS = 400;

describe("400 runs of five pages with disconnections, kills, freezes, resignations, leaves and transfers", () => {
  it("has_at_most_one_leader_on_a_hub_with_claims_and_one_after_healing", () => {
    let elections = 0;
    let leaderless = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const outcome = run(ranking, seed, true);
      const story = `seed ${seed}: ${JSON.stringify(outcome)}`;
      assert.equal(outcome.dualMillis, 0, story);
      assert.equal(outcome.termReused, false, story);
      assert.equal(outcome.leadersAtEnd.length, outcome.alive === 0 ? 0 : 1, story);
      assert.ok(outcome.agreed, story);
      elections += outcome.elections;
      leaderless += outcome.leaderlessMillis;
    }
    console.log(`claims: ${elections} elections, mean leaderless ${Math.round(leaderless / SEEDS)} ms of 148 s`);
  });

  it("one_leader_after_healing_on_a_hub_without_claims", () => {
    let dual = 0;
    let worst = 0;
    let stories = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const outcome = run(ranking, seed, false);
      const story = `seed ${seed}: ${JSON.stringify(outcome)}`;
      assert.equal(outcome.leadersAtEnd.length, outcome.alive === 0 ? 0 : 1, story);
      assert.ok(outcome.agreed, story);
      dual += outcome.dualMillis;
      worst = Math.max(worst, outcome.dualMillis);
      stories += Number(outcome.dualMillis > 0);
    }
    console.log(`no claims: two leaders in ${stories} of ${SEEDS} stories, at worst ${Math.round(worst)} ms in one`);
    assert.ok(worst < 3000, `${worst} ms with two leaders in one story`);
  });
});

describe("400 runs without faults of eight pages with six transfers each", () => {
  it("the_successor_leads_next_and_another_member_if_it_is_gone", () => {
    let absent = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const outcome = runTransfers(ranking, seed);
      assert.deepEqual(outcome.faults, [], `seed ${seed}`);
      absent += outcome.absent;
    }
    assert.ok(absent > 100, `only ${absent} successors were gone`);
  });
});
