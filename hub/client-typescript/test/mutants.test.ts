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
    name: "K9 without silence: a leader trusts an old proof for ever",
    from: "elapsed < safeMillis(state) && wallElapsed < safeMillis(state)",
    to: "wallElapsed < safeMillis(state)",
    exclusive: true,
  },
  {
    name: "K9 trusting a proof for 1.3 ttl instead of 0.8",
    from: "const SAFE_PART = 0.8;",
    to: "const SAFE_PART = 1.3;",
    exclusive: true,
  },
  {
    name: "K8 without echo: the claim alone makes a leader",
    from: 'this.effects.push({ type: "claim", seq: claim.seq, term: claim.term });',
    to: 'this.set({ leadingTerm: claim.term }); this.effects.push({ type: "claim", seq: claim.seq, term: claim.term });',
    exclusive: true,
  },
  {
    name: "K11 without demotion: who led goes on although another wins",
    from: `if (top?.key !== key)\n            return this.lose("superseded");`,
    to: "",
    exclusive: false,
  },
  {
    name: "K11 without undoing: leader data that the SDK entered again stays",
    from: `return mine.role === "L" && mine.seq !== claim?.seq;`,
    to: "return false;",
    exclusive: false,
  },
  {
    name: "K9 without the wall clock: a suspended machine trusts its own",
    from: "elapsed < safeMillis(state) && wallElapsed < safeMillis(state)",
    to: "elapsed < safeMillis(state)",
    exclusive: true,
  },
  {
    name: "K6 without rising terms",
    from: "term: this.nextTerm(), echoed: false",
    to: "term: 1, echoed: false",
    exclusive: false,
  },
];

const SUCCESSOR_MUTANTS: readonly Mutant[] = [
  {
    name: "K19 without standing back: who is not the successor claims too",
    from: "Math.max(state.leaderlessSince ?? 0, kept)",
    to: "state.leaderlessSince ?? 0",
  },
  {
    name: "K19 without haste: the successor stands back as the others do",
    from: "if (successor?.clientId === mine.clientId) {",
    to: "if (successor?.clientId === null) {",
  },
  {
    name: "K19 without a word: who led does not say that it has stopped",
    from: 'return mine.role === "F" && mine.ended !== undefined;',
    to: "return false;",
  },
  {
    name: "K19 without waiting for that word: the successor claims what it cannot have yet",
    from: "successor.stopped ? 0 : successor.since + ttlMillis",
    to: "0",
  },
  {
    name: "K19 without an end: the others wait for a successor that is gone",
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
      assert.ok(found, `${SEEDS} stories did not notice`);
      console.log(`${mutant.name}: ${found}`);
    });
  }
});

describe("the runs with transfers detect the removal of each half of the successor rule", () => {
  const mutants = new Mutants("ranking.js", "ranking-state.js", "ranking-times.js");
  for (const mutant of SUCCESSOR_MUTANTS) {
    it(mutant.name, async () => {
      const ranking = await mutants.load<Ranking>(mutant);
      let found: string | null = null;
      for (let seed = 1; seed <= SEEDS && found === null; seed++) found = runTransfers(ranking, seed).faults[0] ?? null;
      assert.ok(found, `${SEEDS} stories did not notice`);
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
    if (!outcome.agreed) return `seed ${seed}: they name different leaders at the end`;
  }
  return null;
}
