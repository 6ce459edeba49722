/**
 * Prints the size that each entry point of @doyen/tabs adds to a page. Fails if a size exceeds the budget.
 *
 * Other packages do not count. Code that entry points share counts for each of them, because many pages use only one
 * entry point.
 */
import { build } from "esbuild";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const BUDGETS = { index: 4096, calls: 1700, open: 4608, react: 512, vue: 400, svelte: 400, angular: 400 };

const source = join(dirname(fileURLToPath(import.meta.url)), "dist/src");
for (const [entry, budget] of Object.entries(BUDGETS)) {
  const { outputFiles } = await build({
    entryPoints: [join(source, `${entry}.js`)],
    bundle: true,
    minify: true,
    format: "esm",
    external: ["react", "vue", "@angular/core", "@doyen/swarm"],
    write: false,
  });
  const minified = outputFiles[0].contents;
  const zipped = gzipSync(minified, { level: 9 }).length;
  const name = entry === "index" ? "@doyen/tabs" : `@doyen/tabs/${entry}`;
  console.log(`${name}: ${minified.length} bytes minified, ${zipped} gzipped; the budget is ${budget}`);
  if (zipped > budget) process.exitCode = 1;
}
