import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Tabs } from "./tabs/model.js";
import { run } from "./tabs/world.js";
import { Mutants, type Mutant } from "./mutant.js";

const MUTANTS: readonly Mutant[] = [
  {
    name: "T3: a tab that lost the lock keeps its socket",
    from: `this.shut("superseded");\n                return this.set({ lock: "none", quietSince: this.now, round: null });`,
    to: `return this.set({ lock: "none", quietSince: this.now, round: null });`,
  },
  {
    name: "T2: a tab releases the lock without closing its socket",
    from: `releaseLock(reason, when) {\n        this.shut(reason);`,
    to: `releaseLock(reason, when) {`,
  },
  {
    name: "T4: a tab believes a late message of an old holder",
    from: `if (stale && this.now - state.quietSince < state.settings.silentMillis)\n            return;`,
    to: "",
  },
  {
    name: "T4: generations do not rise",
    from: "Math.max(state.maxGeneration + 1, Math.floor(this.at.wall))",
    to: "1",
  },
  {
    name: "T4: the holder keeps a generation below that of a tab that lost the lock while it was frozen",
    from: `return this.outdo(holder);`,
    to: `return;`,
  },
  {
    name: "T5: the holder does not answer a steal request",
    from: `if (state.lock === "held")\n            this.heartbeat();`,
    to: `if (state.lock === "held")\n            return;`,
  },
  {
    name: "T6: a tab counts the silence during its own suspension",
    from: "late > settings.lagMillis",
    to: "false",
  },
  {
    name: "T7: every tab that sent a steal request steals, not only the best one",
    from: "round.best.tab === this.state.tab && round.echoed",
    to: "round.echoed",
  },
  {
    name: "T8: a tab steals although it did not receive its own steal request",
    from: "round.best.tab === this.state.tab && round.echoed",
    to: "round.best.tab === this.state.tab",
  },
  {
    name: "T9: a tab steals again without a cooldown",
    from: "if (now >= stealCooldownUntil)",
    to: "if (true)",
  },
  {
    name: "T9: a tab that learns of a steal has no cooldown",
    from: `if (message.stolen)`,
    to: "if (false)",
  },
  {
    name: "T10: a hidden tab passes the lock on to a visible tab again and again",
    from: `state.seenVisible !== null && !state.passed`,
    to: `state.seenVisible !== null`,
  },
  {
    name: "T10: a slow hidden holder releases the lock again and again",
    from: "!slow || this.now < state.keepUntil",
    to: "!slow",
  },
  {
    name: "T11: a tab that the hub rejects keeps the lock",
    from: `return this.releaseLock("superseded", "left");\n            }\n            case "connected"`,
    to: `return;\n            }\n            case "connected"`,
  },
  {
    name: "T12: a tab does not release the lock before it freezes",
    from: `return this.go("away", "suspended", "now");`,
    to: "return;",
  },
  {
    name: "T12: a tab that freezes while it releases the lock does not release the lock at once",
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
      assert.ok(found, `${SEEDS} seeds did not detect the mutant`);
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
