import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Mutants, type Mutant } from "./mutant.js";
import type { Ranking } from "./simulation/client.js";
import { runTransfers } from "./simulation/transfers.js";
import { run } from "./simulation/world.js";

interface RankingMutant extends Mutant {
  /** True if the fault appears on a hub that grants claims; false if it appears on another service. */
  readonly exclusive: boolean;
}

const MUTANTS: readonly RankingMutant[] = [
  {
    name: "K9: the leader trusts an old proof without a time limit",
    from: "elapsed < safeMillis(state) && wallElapsed < safeMillis(state)",
    to: "wallElapsed < safeMillis(state)",
    exclusive: true,
  },
  {
    name: "K9: the leader trusts a proof for 1.3 ttl instead of 0.8",
    from: "const SAFE_PART = 0.8;",
    to: "const SAFE_PART = 1.3;",
    exclusive: true,
  },
  {
    name: "K8: a member leads before the hub has echoed its claim",
    from: 'this.effects.push({ type: "claim", seq: claim.seq, term: claim.term });',
    to: 'this.set({ leadingTerm: claim.term }); this.effects.push({ type: "claim", seq: claim.seq, term: claim.term });',
    exclusive: true,
  },
  {
    name: "K11: the leader continues although another member wins",
    from: `if (top?.key !== key)\n            return this.lose("superseded");`,
    to: "",
    exclusive: false,
  },
  {
    name: "K11: leader data that the SDK has entered again is not removed",
    from: `return mine.role === "L" && mine.seq !== claim?.seq;`,
    to: "return false;",
    exclusive: false,
  },
  {
    name: "K9: a leader on a suspended machine ignores the wall clock",
    from: "elapsed < safeMillis(state) && wallElapsed < safeMillis(state)",
    to: "elapsed < safeMillis(state)",
    exclusive: true,
  },
  {
    name: "K6: terms do not rise",
    from: "term: this.nextTerm(), echoed: false",
    to: "term: 1, echoed: false",
    exclusive: false,
  },
];

const SUCCESSOR_MUTANTS: readonly Mutant[] = [
  {
    name: "K19: the other members claim at once, as the successor does",
    from: "Math.max(state.leaderlessSince ?? 0, reservedUntil)",
    to: "state.leaderlessSince ?? 0",
  },
  {
    name: "K19: the successor waits as long as the other members",
    from: "if (successor?.clientId === mine.clientId) {",
    to: "if (successor?.clientId === null) {",
  },
  {
    name: "K19: the former leader does not report that it has stopped",
    from: 'return mine.role === "F" && mine.ended !== undefined;',
    to: "return false;",
  },
  {
    name: "K19: the successor claims before the former leader has stopped",
    from: "successor.stopped ? 0 : successor.since + ttlMillis",
    to: "0",
  },
  {
    name: "K19: the other members wait without a time limit for a successor that is gone",
    from: "successor.since + (successor.stopped ? SUCCESSOR_PART : 1 + SUCCESSOR_PART) * ttlMillis",
    to: "1e9",
  },
];

const SEEDS = 400;

describe("the simulation detects the removal of each rule of the machine", () => {
  const mutants = new Mutants("ranking.js", "ranking-state.js", "ranking-times.js");
  for (const mutant of MUTANTS) {
    it(mutant.name, async () => {
      const found = firstFault(await mutants.load<Ranking>(mutant), mutant.exclusive);
      assert.ok(found, `${SEEDS} seeds did not detect the mutant`);
      console.log(`${mutant.name}: ${found}`);
    });
  }
});

describe("the runs with transfers detect the removal of each part of the successor rule", () => {
  const mutants = new Mutants("ranking.js", "ranking-state.js", "ranking-times.js");
  for (const mutant of SUCCESSOR_MUTANTS) {
    it(mutant.name, async () => {
      const ranking = await mutants.load<Ranking>(mutant);
      let found: string | null = null;
      for (let seed = 1; seed <= SEEDS && found === null; seed++) found = runTransfers(ranking, seed).faults[0] ?? null;
      assert.ok(found, `${SEEDS} seeds did not detect the mutant`);
      console.log(`${mutant.name}: ${found}`);
    });
  }
});

function firstFault(ranking: Ranking, exclusive: boolean): string | null {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const outcome = run(ranking, seed, exclusive);
    const wrongEnd = outcome.leadersAtEnd.length !== (outcome.alive === 0 ? 0 : 1);
    if (outcome.dualMillis > (exclusive ? 0 : 3000))
      return `seed ${seed}: two leaders for ${Math.round(outcome.dualMillis)} ms`;
    if (wrongEnd) return `seed ${seed}: ${outcome.leadersAtEnd.length} leaders at the end`;
    if (!outcome.agreed) return `seed ${seed}: the members report different leaders at the end`;
  }
  return null;
}
