import { describe } from "node:test";
import type { RingMember } from "../src/ring-view.js";
import { initialRoll, stepRoll, type RollEffect, type RollInput } from "../src/roll-call.js";
import { reproduceAll } from "./vector.js";

interface Vector {
  name: string;
  rules: readonly string[];
  me: RingMember;
  sayMillis: number;
  steps: { at: number; input: RollInput; effects: readonly RollEffect[]; wakeAt: number | null }[];
}

describe("the roll vectors of docs/spec", () => reproduceAll("roll", 16, play));

function play(vector: Vector): Vector {
  let state = initialRoll(vector.me, vector.sayMillis);
  const steps = vector.steps.map(({ at, input }) => {
    const next = stepRoll(state, at, input);
    state = next.state;
    return { at, input, effects: next.effects, wakeAt: next.wakeAt };
  });
  return { ...vector, steps };
}
