import { describe } from "node:test";
import { initial, leads, step, type Effect, type Input, type Settings } from "../src/ranking.js";
import { reproduceAll } from "./vector.js";

interface Step {
  at: number;
  /** The wall-clock time. The default is `at`. */
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

describe("the ranking vectors of docs/spec", () => reproduceAll("ranking", 16, play));

function play(vector: Vector): Vector {
  let state = initial(vector.settings);
  const steps = vector.steps.map(({ at, wall, input }): Step => {
    const moment = { now: at, wall: wall ?? at };
    const next = step(state, moment, input);
    state = next.state;
    const result = { input, effects: next.effects, leads: leads(state, moment), wakeAt: next.wakeAt };
    return wall === undefined ? { at, ...result } : { at, wall, ...result };
  });
  return { ...vector, steps };
}
