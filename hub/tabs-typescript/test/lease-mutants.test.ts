import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { run, type Machine } from "./world.js";

/** A change that breaks one rule in the compiled machine. The text `from` must occur exactly once. */
interface Mutant {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

const MUTANTS: readonly Mutant[] = [
  { name: "B2: a claim does not raise the term", from: "maxTerm + 1", to: "maxTerm" },
  { name: "B3: the leader leads for longer than the ttl", from: "LEAD_PART = 0.8", to: "LEAD_PART = 1.3" },
  {
    name: "B3: the leader's time starts when the write is confirmed",
    from: "deadline = nextDeadline;\n            if (open",
    to: "deadline = { now: now + 4000, wall: at.wall + 4000 };\n            if (open",
  },
  {
    name: "B4: a renewal does not restart the wait",
    from: "one?.renewal === other?.renewal && ",
    to: "",
  },
  { name: "B4: a tab does not wait for the ttl", from: "free ? 0 : freeAt", to: "0" },
  {
    name: "B5: the wall clock does not end the term",
    from: "Math.min(deadline.now - at.now, deadline.wall - at.wall)",
    to: "deadline.now - at.now",
  },
  {
    name: "B6: a tab takes any lock that has ended for the lock of the present leader",
    from: "lockOf(record) === gone",
    to: "gone !== undefined",
  },
  {
    name: "B7: a leader that becomes visible keeps the deadline of the hidden page",
    from: "deadline = { now: Math.min(deadline.now, next.now), wall: Math.min(deadline.wall, next.wall) };",
    to: "",
  },
  {
    name: "B9: a tab claims again before the work of its last term has stopped",
    from: "!settings.candidate || releasing || record === undefined",
    to: "!settings.candidate || record === undefined",
  },
  {
    name: "B6: a frozen page leads when the result of its claim arrives",
    from: "open && remainingMillis(at)",
    to: "true",
  },
];

const SEEDS = 1000;
const COMPILED = join(dirname(fileURLToPath(import.meta.url)), "../src");

describe("the simulation detects the removal of each rule of the lease machine", () => {
  const folder = mkdtempSync(join(COMPILED, "mutant-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const source = readFileSync(join(COMPILED, "lease.js"), "utf8");
  for (const [i, { name, from, to }] of MUTANTS.entries()) {
    it(name, async () => {
      assert.equal(source.split(from).length, 2, "the text to replace must occur exactly once in the machine");
      const file = join(folder, `${i}.js`);
      writeFileSync(file, source.replace(from, to));
      const found = firstFault((await import(pathToFileURL(file).href)) as Machine);
      assert.ok(found, `${SEEDS} seeds did not detect the mutant`);
      console.log(`${name}: ${found}`);
    });
  }
});

function firstFault(machine: Machine): string | null {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { faults } = run(machine, seed);
    if (faults.length > 0) return `seed ${seed}: ${faults[0]}`;
  }
  return null;
}
