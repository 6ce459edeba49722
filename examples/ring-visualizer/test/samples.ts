import { readFileSync } from "node:fs";
import type { Recording } from "../src/recording.js";

/** Reads a stored recording. A test of the recorder checks that the recorder still makes the same recordings. */
export function sample(name: "worst" | "lost" | "peterson" | "killed" | "cut" | "split"): Recording {
  const file = new URL(`../../../../../test/recordings/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as Recording;
}
