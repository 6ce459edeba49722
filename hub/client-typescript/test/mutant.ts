import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

/**
 * A change that breaks one rule in a compiled machine. The text `from` must occur exactly once in the files of the
 * machine.
 */
export interface Mutant {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

const COMPILED = join(dirname(fileURLToPath(import.meta.url)), "../src");

/**
 * Loads mutants of a compiled machine. Create the object inside `describe`, because the files of the mutants are
 * deleted at the end of that block.
 */
export class Mutants {
  private readonly files: readonly string[];
  private readonly folder: string;
  private count = 0;

  /** The `files` are the compiled files of the machine. `load` imports the first file. */
  constructor(...files: readonly [string, ...string[]]) {
    this.files = files;
    // Use a folder beside the originals, so that the imports still resolve.
    this.folder = mkdtempSync(join(COMPILED, "mutant-"));
    after(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  async load<T>({ from, to }: Mutant): Promise<T> {
    const mine = join(this.folder, String(++this.count));
    mkdirSync(mine);
    let places = 0;
    for (const file of this.files) {
      const source = readFileSync(join(COMPILED, file), "utf8");
      places += source.split(from).length - 1;
      const imports = (whole: string, name: string) => (this.files.includes(name) ? whole : `"../../${name}"`);
      writeFileSync(join(mine, file), source.replace(from, to).replace(/"\.\/([\w-]+\.js)"/g, imports));
    }
    assert.equal(places, 1, "the text to replace must occur exactly once in the machine");
    return (await import(pathToFileURL(join(mine, this.files[0]!)).href)) as T;
  }
}
