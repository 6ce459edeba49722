/** Connects the versions of the site: the list of versions, the folder `latest`, and the page at the root. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

const VERSION = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?$/;

/** Throws an error if this is not a version. */
export function checkVersion(version) {
  if (!VERSION.test(version)) {
    throw new Error(`"${version}" is not a version; use three numbers, such as 1.2.0 or 1.2.0-rc.1`);
  }
}

/**
 * Writes the files of a site that belong to no version. Each folder whose name is a version contains this version.
 *
 * `versions.json` lists the versions, the newest first. `latest/` contains one redirect for each page of the newest
 * version, so links to `latest` stay valid. A version such as 1.2.0-rc.1 is the latest only if it is the only one.
 */
export function linkVersions(site) {
  const versions = readdirSync(site, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && VERSION.test(entry.name))
    .map((entry) => entry.name)
    .sort(newestFirst);
  const latest = versions.find((version) => !version.includes("-")) ?? versions[0];
  if (latest === undefined) throw new Error(`${site} contains no version; build one first with ./dev site`);
  writeFileSync(join(site, "versions.json"), `${JSON.stringify(versions)}\n`);
  rmSync(join(site, "latest"), { recursive: true, force: true });
  for (const page of htmlPages(join(site, latest))) {
    const up = "../".repeat(page.split("/").length);
    write(join(site, "latest", page), redirect(`${up}${latest}/${page}`));
  }
  write(join(site, "index.html"), redirect("latest/index.html"));
}

/** Returns the pages of a version, without the pages of Javadoc and TypeDoc. */
function htmlPages(folder, under = "") {
  return readdirSync(join(folder, under), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(under, entry.name);
    if (path === "api") return [];
    if (entry.isDirectory()) return htmlPages(folder, path);
    return path.endsWith(".html") ? [path] : [];
  });
}

/** Returns a page that leads to another page and keeps the fragment of the address. */
function redirect(to) {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Doyen</title>
<link rel="canonical" href="${to}">
<script>location.replace("${to}" + location.hash)</script>
<meta http-equiv="refresh" content="1; url=${to}">
<h1>Doyen</h1>
<p>This page has moved: <a href="${to}">continue</a></p>
</html>
`;
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Orders versions as Semantic Versioning does, except that the parts after the hyphen are compared as text. */
function newestFirst(a, b) {
  const [, ...left] = VERSION.exec(a);
  const [, ...right] = VERSION.exec(b);
  for (let i = 0; i < 3; i++) if (left[i] !== right[i]) return Number(right[i]) - Number(left[i]);
  if (left[3] === undefined || right[3] === undefined) return left[3] === undefined ? -1 : 1;
  return right[3].localeCompare(left[3], "en", { numeric: true });
}
