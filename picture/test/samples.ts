import { readFileSync } from "node:fs";
import type { Recording } from "../src/recording.js";

/** Made by the recorder itself: a test beside it sees that they are what it makes today. */
export function sample(name: "worst" | "lost" | "peterson" | "killed" | "cut" | "split"): Recording {
  const file = new URL(`../../../../test/recordings/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as Recording;
}
