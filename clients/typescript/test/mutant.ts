import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

/** A rule taken out of a compiled machine: the text must stand there exactly once. */
export interface Mutant {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

const COMPILED = join(dirname(fileURLToPath(import.meta.url)), "../src");

/** The mutants of one compiled file. To be made inside `describe`: what it writes is deleted after it. */
export class Mutants {
  private readonly source: string;
  private readonly folder: string;
  private count = 0;

  constructor(file: string) {
    this.source = readFileSync(join(COMPILED, file), "utf8");
    // Beside the original, so that its imports still resolve.
    this.folder = mkdtempSync(join(COMPILED, "mutant-"));
    after(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  async load<T>({ from, to }: Mutant): Promise<T> {
    assert.equal(this.source.split(from).length, 2, "the mutant no longer fits the machine");
    const file = join(this.folder, `${++this.count}.js`);
    writeFileSync(file, this.source.replace(from, to).replaceAll(`"./`, `"../`));
    return (await import(pathToFileURL(file).href)) as T;
  }
}
