import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

/** The mutants of a compiled machine. To be made inside `describe`: what it writes is deleted after it. */
export class Mutants {
  private readonly files: readonly string[];
  private readonly folder: string;
  private count = 0;

  /** The file to load, and the others that are parts of the machine. */
  constructor(...files: readonly [string, ...string[]]) {
    this.files = files;
    // Beside the originals, so that their imports still resolve.
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
    assert.equal(places, 1, "the mutant no longer fits the machine");
    return (await import(pathToFileURL(join(mine, this.files[0]!)).href)) as T;
  }
}
