/**
 * Builds one version of the site: node build.js --to DIR --javadoc DIR [--version VERSION] [--base PATH]
 *
 * `./dev site` calls this program after it has built the TypeScript packages and the Javadoc. Every byte depends only on
 * the sources and the arguments.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createMarkdownFromOpenApi } from "@scalar/openapi-to-markdown";
import { findPages, imagePath, OPENAPI, pageText } from "./pages.js";
import { checkVersion, linkVersions } from "./versions.js";

const SITE = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(SITE);
const STAGED = join(SITE, "target/pages");
const IMAGE = /(?:\]\(|src="|srcset=")([^)"\s]+\.(?:png|svg))/g;

const { values } = parseArgs({
  options: {
    to: { type: "string" },
    javadoc: { type: "string" },
    version: { type: "string" },
    base: { type: "string" },
  },
});
const version =
  values.version ?? JSON.parse(readFileSync(join(ROOT, "hub/tabs-typescript/package.json"), "utf8")).version;
const base = values.base ?? "/";
checkVersion(version);
if (!base.startsWith("/") || !base.endsWith("/")) {
  throw new Error(`--base is "${base}"; it must begin and end with a slash, such as /doyen/`);
}
const site = resolve(values.to);
const target = join(site, version);

const pages = await stage();
rmSync(target, { recursive: true, force: true });
await buildPages();
typedoc();
cpSync(values.javadoc, join(target, "api/java"), { recursive: true });
linkVersions(site);
console.log(`The site is in ${site}. To read it: python3 -m http.server --directory ${site}`);

/** Writes the pages, with the links of the site, to the folder that VitePress reads. */
async function stage() {
  const pages = findPages(ROOT);
  rmSync(STAGED, { recursive: true, force: true });
  for (const [source, page] of pages) {
    const text = readFileSync(join(ROOT, source), "utf8");
    if (source === OPENAPI) {
      write(join(STAGED, page), await openApiPage(JSON.parse(text)));
      continue;
    }
    write(join(STAGED, page), pageText(text, source, { root: ROOT, pages, version }));
    for (const [, image] of text.matchAll(IMAGE)) {
      const file = join(dirname(source), image);
      if (existsSync(join(ROOT, file))) copy(join(ROOT, file), join(STAGED, imagePath(file)));
    }
  }
  return pages;
}

/** Returns the page of an OpenAPI description. The generator first converts it to its newest version of OpenAPI. */
async function openApiPage(description) {
  const markdown = await createMarkdownFromOpenApi(description);
  return markdown.replace(/^- \*\*OpenAPI Version:\*\*.*\n/m, `- **OpenAPI version:** ${description.openapi}\n`);
}

/** Runs VitePress, whose configuration is in .vitepress/config.js. */
async function buildPages() {
  process.env.DOYEN_SITE_VERSION = version;
  const { build } = await import("vitepress");
  await build(SITE, { base: `${base}${version}/`, outDir: target });
  console.log(`${pages.size} pages`);
}

/** Writes the reference of the TypeScript packages. */
function typedoc() {
  const out = join(target, "api/typescript");
  const options = ["--options", join(SITE, "typedoc.json"), "--out", out, "--gitRevision", `v${version}`];
  const { status } = spawnSync(join(SITE, "node_modules/.bin/typedoc"), options, { cwd: SITE, stdio: "inherit" });
  if (status !== 0) throw new Error("TypeDoc failed; see above");
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}
