/** Bundles the picture into dist/: one script, one style sheet, source maps, nothing from outside. */
import { build } from "esbuild";
import { cp, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "dist");

await mkdir(dist, { recursive: true });
await build({
  entryPoints: [join(here, "src/main.ts"), join(here, "style.css")],
  outdir: dist,
  bundle: true,
  minify: true,
  sourcemap: true,
  format: "esm",
  target: ["es2022"],
  entryNames: "[name]",
  logLevel: "warning",
});
await cp(join(here, "index.html"), join(dist, "index.html"));
