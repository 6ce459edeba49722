import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { it } from "node:test";
import { fileURLToPath } from "node:url";

/**
 * With DOYEN_REWRITE=1 the tests write the outputs of the machine into the files as the expected outputs. A person must
 * review the rewritten files.
 */
const REWRITE = process.env["DOYEN_REWRITE"] === "1";

interface AnyVector {
  readonly name: string;
  readonly steps: readonly unknown[];
}

/**
 * Adds a test for each vector in this folder of docs/spec/vectors. A replay of the vector must produce the same steps
 * as the file.
 */
export function reproduceAll<V extends AnyVector>(folder: string, least: number, play: (vector: V) => V): void {
  const place = join(dirname(fileURLToPath(import.meta.url)), "../../../../docs/spec/vectors", folder);
  const files = readdirSync(place).filter((file) => file.endsWith(".json"));
  it("are_complete", () => assert.ok(files.length >= least, `only ${files.length} vectors`));

  for (const file of files) {
    const path = join(place, file);
    const vector = JSON.parse(readFileSync(path, "utf8")) as V;
    it(`${file}: ${vector.name}`, () => {
      const played = play(vector);
      if (REWRITE) writeFileSync(path, print(played));
      else played.steps.forEach((actual, i) => assert.deepEqual(actual, vector.steps[i], `${file}, step ${i + 1}`));
    });
  }
}

/** Formats a vector with one step per line, so that a diff is easy to read. */
function print(vector: AnyVector): string {
  const { steps, ...head } = vector;
  const open = JSON.stringify(head, null, 2).replace(/\n\}$/, ',\n  "steps": [');
  return `${open}\n${steps.map((one) => `    ${JSON.stringify(one)}`).join(",\n")}\n  ]\n}\n`;
}
