/** Prints what @doyen/swarm adds to a page, and fails above the budget. The `ably` package is not counted. */
import { build } from "esbuild";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const BUDGET_BYTES = 8 * 1024;

const entry = join(dirname(fileURLToPath(import.meta.url)), "dist/src/index.js");
const { outputFiles } = await build({
  entryPoints: [entry],
  bundle: true,
  minify: true,
  format: "esm",
  external: ["ably"],
  write: false,
});
const minified = outputFiles[0].contents;
const zipped = gzipSync(minified, { level: 9 }).length;
console.log(`@doyen/swarm: ${minified.length} bytes minified, ${zipped} gzipped; the budget is ${BUDGET_BYTES}`);
if (zipped > BUDGET_BYTES) process.exit(1);
