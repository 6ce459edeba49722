import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { RingMember } from "../src/ring-view.js";
import { initialRoll, stepRoll, type RollEffect, type RollInput } from "../src/roll-call.js";
import { print } from "./vector.js";

interface Vector {
  name: string;
  rules: readonly string[];
  me: RingMember;
  sayMillis: number;
  steps: { at: number; input: RollInput; effects: readonly RollEffect[]; wakeAt: number | null }[];
}

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), "../../../../docs/spec/vectors/roll");
const FILES = readdirSync(FOLDER).filter((file) => file.endsWith(".json"));

/** With DOYEN_REWRITE=1 the expectations are written anew from the machine; a person then reads the difference. */
const REWRITE = process.env["DOYEN_REWRITE"] === "1";

describe("the roll vectors of docs/spec", () => {
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
  let state = initialRoll(vector.me, vector.sayMillis);
  const steps = vector.steps.map(({ at, input }) => {
    const next = stepRoll(state, at, input);
    state = next.state;
    return { at, input, effects: next.effects, wakeAt: next.wakeAt };
  });
  return { ...vector, steps };
}
