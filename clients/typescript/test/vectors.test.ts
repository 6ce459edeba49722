import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { initial, leads, step, type Effect, type Input, type Settings } from "../src/ranking.js";
import { print } from "./vector.js";

interface Step {
  at: number;
  /** The wall clock; the same as `at` if absent. */
  wall?: number;
  input: Input;
  effects: readonly Effect[];
  leads: boolean;
  wakeAt: number | null;
}

interface Vector {
  name: string;
  rules: readonly string[];
  settings: Settings;
  steps: Step[];
}

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), "../../../../docs/spec/vectors/ranking");
const FILES = readdirSync(FOLDER).filter((file) => file.endsWith(".json"));

/** With DOYEN_REWRITE=1 the expectations are written anew from the machine; a person then reads the difference. */
const REWRITE = process.env["DOYEN_REWRITE"] === "1";

describe("the ranking vectors of docs/spec", () => {
  it("are_all_there", () => assert.ok(FILES.length >= 16, `only ${FILES.length} vectors`));

  for (const file of FILES) {
    const path = join(FOLDER, file);
    const vector = JSON.parse(readFileSync(path, "utf8")) as Vector;
    it(`${file}: ${vector.name}`, () => {
      const played = play(vector);
      if (REWRITE) writeFileSync(path, print(played));
      else played.steps.forEach((actual, i) => assert.deepEqual(actual, vector.steps[i], `${file}, step ${i + 1}`));
    });
  }
});

function play(vector: Vector): Vector {
  let state = initial(vector.settings);
  const steps = vector.steps.map(({ at, wall, input }): Step => {
    const moment = { now: at, wall: wall ?? at };
    const next = step(state, moment, input);
    state = next.state;
    const said = { input, effects: next.effects, leads: leads(state, moment), wakeAt: next.wakeAt };
    return wall === undefined ? { at, ...said } : { at, wall, ...said };
  });
  return { ...vector, steps };
}
