/** Prints how much @doyen/elector adds to a page, and fails if this size exceeds the budget. */
import { build } from "esbuild";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const BUDGET = 4 * 1024;

const { outputFiles } = await build({
  entryPoints: [join(dirname(fileURLToPath(import.meta.url)), "dist/src/index.js")],
  bundle: true,
  minify: true,
  format: "esm",
  write: false,
});
const minified = outputFiles[0].contents;
const zipped = gzipSync(minified, { level: 9 }).length;
console.log(`@doyen/elector: ${minified.length} bytes minified, ${zipped} gzipped; the budget is ${BUDGET}`);
if (zipped > BUDGET) process.exitCode = 1;
