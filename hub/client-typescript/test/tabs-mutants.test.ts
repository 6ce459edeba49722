import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Tabs } from "./tabs/model.js";
import { run } from "./tabs/world.js";
import { Mutants, type Mutant } from "./mutant.js";

const MUTANTS: readonly Mutant[] = [
  {
    name: "T3 without stopping: a robbed tab keeps its socket",
    from: `this.shut("superseded");\n                return this.set({ lock: "none", quietSince: this.now, round: null });`,
    to: `return this.set({ lock: "none", quietSince: this.now, round: null });`,
  },
  {
    name: "T2 without closing first: the lock is given back, the socket is not",
    from: `releaseLock(reason, when) {\n        this.shut(reason);`,
    to: `releaseLock(reason, when) {`,
  },
  {
    name: "T4 without order: what an old holder said last is believed",
    from: `if (stale && this.now - state.quietSince < state.settings.silentMillis)\n            return;`,
    to: "",
  },
  {
    name: "T4 without rising tenures",
    from: "Math.max(state.maxGeneration + 1, Math.floor(this.at.wall))",
    to: "1",
  },
  {
    name: "T4 without outdoing a tab that was robbed in its sleep",
    from: `return this.outdo(holder);`,
    to: `return;`,
  },
  {
    name: "T5 without a holder's answer to a bid",
    from: `if (state.lock === "held")\n            this.heartbeat();`,
    to: `if (state.lock === "held")\n            return;`,
  },
  {
    name: "T6 without looking at its own sleep",
    from: "late > settings.lagMillis",
    to: "false",
  },
  {
    name: "T7 without a choice: all who bid steal",
    from: "round.best.tab === this.state.tab && round.echoed",
    to: "round.echoed",
  },
  {
    name: "T8 without hearing itself: a deaf tab steals",
    from: "round.best.tab === this.state.tab && round.echoed",
    to: "round.best.tab === this.state.tab",
  },
  {
    name: "T9 without a rest after a steal",
    from: "if (now >= restUntil)",
    to: "if (true)",
  },
  {
    name: "T9 without a rest for those who hear of a steal",
    from: `if (message.stolen)`,
    to: "if (false)",
  },
  {
    name: "T10 passing on for ever",
    from: `state.seenVisible !== null && !state.passed`,
    to: `state.seenVisible !== null`,
  },
  {
    name: "T10 making way again and again",
    from: "!slow || this.now < state.keepUntil",
    to: "!slow",
  },
  {
    name: "T11 without making way: a tab that the hub refuses keeps the lock",
    from: `return this.releaseLock("superseded", "left");\n            }\n            case "connected"`,
    to: `return;\n            }\n            case "connected"`,
  },
  {
    name: "T12 without giving back before it freezes",
    from: `return this.go("away", "suspended", "now");`,
    to: "return;",
  },
  {
    name: "T12 without giving back what is being given back",
    from: `if (state.lock === "releasing")\n                this.effects.push({ type: "release", when });`,
    to: "",
  },
];

const SEEDS = 700;

describe("the simulation detects the removal of each rule of the tab machine", () => {
  const mutants = new Mutants("tabs.js");
  for (const mutant of MUTANTS) {
    it(mutant.name, async () => {
      const found = firstFault(await mutants.load<Tabs>(mutant));
      assert.ok(found, `${SEEDS} stories did not notice`);
      console.log(`${mutant.name}: ${found}`);
    });
  }
});

function firstFault(machine: Tabs): string | null {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { faults } = run(machine, seed);
    if (faults.length > 0) return `seed ${seed}: ${faults[0]}`;
  }
  return null;
}
