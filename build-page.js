/**
 * Bundles the page of the folder it is run in into dist/: one script, one style sheet, source maps, nothing from outside.
 * Scripts that are named as arguments become files of their own beside it.
 */
import { build } from "esbuild";
import { cp, mkdir } from "node:fs/promises";

await mkdir("dist", { recursive: true });
await build({
  entryPoints: ["src/main.ts", ...process.argv.slice(2), "style.css"],
  outdir: "dist",
  bundle: true,
  minify: true,
  sourcemap: true,
  format: "esm",
  target: ["es2022"],
  entryNames: "[name]",
  logLevel: "warning",
});
await cp("index.html", "dist/index.html");
