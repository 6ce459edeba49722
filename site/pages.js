/**
 * Maps the Markdown files of the repository to the pages of the site.
 *
 * Each Markdown file is a page at its own path, and `docs/` is the root. A link to a file that is no page becomes a link
 * to the repository at the version's tag.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";

export const REPOSITORY = "https://github.com/doyen-dev/doyen";

/** The OpenAPI description of the elector API, which becomes the page `reference/openapi`. */
export const OPENAPI = "elector/api/src/main/resources/dev/doyen/elector/openapi.json";

/** The landing page. */
export const LANDING = "site/index.md";

const NO_SOURCES = new Set(["node_modules", "target", "dist", "release"]);
/** Pages for contributors, who read them in the repository. */
const FOR_CONTRIBUTORS = new Set(["ARCHITECTURE.md", "CONTRIBUTING.md", "site/README.md"]);
/** Pages whose place in the site differs from their place in the repository. */
const MOVED = new Map([
  [LANDING, "index.md"],
  ["README.md", "overview.md"],
  ["docs/README.md", "contents.md"],
  [OPENAPI, "reference/openapi.md"],
]);

/**
 * The groups of the menu. A page belongs to the first group whose pattern matches it. The pages of a group with `under`
 * show only this group and the first one, so that no menu is long.
 */
const GROUPS = [
  {
    text: "Start",
    pattern:
      /^(contents|overview|faq|troubleshooting|comparison|glossary|guide\/(install|first-leader|demo|choose|concepts|how-.*))\.md$/,
  },
  { text: "Guides", pattern: /^guide\/[^/]+$/ },
  { text: "Migration", pattern: /^guide\/migrate\// },
  { text: "Reference", pattern: /^reference\// },
  { text: "Project", pattern: /^(changelog|security)\.md$/ },
  {
    text: "Modules",
    pattern: /^(clients|cli|elector|group|hub|integrations|kubernetes|lease)\//,
    under: ["clients", "cli", "elector", "group", "hub", "integrations", "kubernetes", "lease"],
  },
  { text: "Examples", pattern: /^examples\//, under: ["examples"] },
  { text: "Rules", pattern: /^spec\//, under: ["spec"] },
  { text: "Tests and measurements", pattern: /^testing\//, under: ["testing"] },
  { text: "Decisions", pattern: /^decisions\//, under: ["decisions"] },
];

/** A part of a Markdown file in which links are not links: a fenced block or a piece of code in a sentence. */
const CODE = /(^ *```[\s\S]*?^ *```[^\n]*$|`[^`\n]+`)/m;
const LINK = /(\]\(|\b(?:src|srcset|href)=")([^)"\s]+)/g;
const PICTURE = /<picture>\s*<source[^>]*srcset="([^"]+)"[^>]*>\s*<img src="([^"]+)"([^>]*)>\s*<\/picture>/g;

/** Returns the path of each page in the site, by the path of its source in the repository. */
export function findPages(root) {
  const pages = new Map([[OPENAPI, MOVED.get(OPENAPI)]]);
  const visit = (folder) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = posix.join(folder, entry.name);
      if (entry.name.startsWith(".") || NO_SOURCES.has(entry.name) || FOR_CONTRIBUTORS.has(path)) continue;
      if (entry.isDirectory()) visit(path);
      else if (entry.name.endsWith(".md")) pages.set(path, pagePath(path));
    }
  };
  visit(".");
  return pages;
}

function pagePath(source) {
  return (
    MOVED.get(source) ??
    source
      .replace(/^docs\//, "")
      .replace(/(^|\/)README\.md$/, "$1index.md")
      .toLowerCase()
  );
}

/** Returns the text of a page. Throws an error if a link of the source leads nowhere. */
export function pageText(text, source, { root, pages, version }) {
  const themed = text.replace(
    PICTURE,
    (_, dark, light, rest) =>
      `<img class="when-light" loading="lazy" src="${light}"${rest}><img class="when-dark" loading="lazy" src="${dark}"${rest}>`,
  );
  const parts = themed.split(CODE);
  return parts
    .map((part, i) =>
      i % 2 === 1
        ? part
        : part.replace(LINK, (_, before, target) => before + linkInSite(target, source, { root, pages, version })),
    )
    .join("");
}

function linkInSite(target, source, { root, pages, version }) {
  if (/^([a-z]+:|#)/.test(target)) return target;
  const [path, fragment] = target.split("#", 2);
  const anchor = fragment === undefined ? "" : `#${fragment}`;
  const file = posix.join(posix.dirname(source), path);
  const page = pages.get(file) ?? pages.get(posix.join(file, "README.md"));
  if (page !== undefined) return `/${page}${anchor}`;
  if (!existsSync(join(root, file))) throw new Error(`${source} links to ${target}, but ${file} does not exist`);
  if (/\.(png|svg)$/.test(file)) {
    const from = posix.dirname(pages.get(source) ?? source);
    const image = posix.relative(from, imagePath(file));
    return image.startsWith(".") ? image : `./${image}`;
  }
  const kind = statSync(join(root, file)).isDirectory() ? "tree" : "blob";
  return `${REPOSITORY}/${kind}/v${version}/${file.replace(/\/$/, "")}${anchor}`;
}

/** Returns the path of an image in the site. */
export function imagePath(file) {
  return file.replace(/^docs\//, "");
}

/** Returns the menus, by the paths of the pages that show them. Throws an error if a page belongs to no group. */
export function sidebar(root, pages) {
  const groups = GROUPS.map(({ text, under = [] }) => ({ text, under, items: [] }));
  for (const [source, page] of pages) {
    if (source === LANDING) continue;
    const i = GROUPS.findIndex(({ pattern }) => pattern.test(page));
    if (i < 0) throw new Error(`the page ${page} belongs to no group of the menu; add it in site/pages.js`);
    groups[i].items.push({ text: title(root, source), link: `/${page.replace(/(index)?\.md$/, "")}`, page });
  }
  const menu = ({ text, items }) => ({
    text,
    items: items.sort(text === "Start" ? inOrderOfUse : byPath).map(({ text, link }) => ({ text, link })),
  });
  const everywhere = groups.filter(({ under }) => under.length === 0).map(menu);
  return Object.fromEntries([
    ["/", everywhere],
    ...groups.flatMap((group) => group.under.map((folder) => [`/${folder}/`, [menu(group), everywhere[0]]])),
  ]);
}

const FIRST = [
  "overview",
  "guide/install",
  "guide/first-leader",
  "guide/demo",
  "guide/choose",
  "guide/concepts",
  "contents",
];

/** Orders the pages of the first group: first the pages that most visitors read first. */
function inOrderOfUse(a, b) {
  const rank = ({ link }) => (FIRST.indexOf(link.slice(1)) + FIRST.length + 1) % (FIRST.length + 1);
  return rank(a) - rank(b) || byPath(a, b);
}

function byPath(a, b) {
  return a.page < b.page ? -1 : 1;
}

/** Returns the title of a page without Markdown. */
function title(root, source) {
  if (source === OPENAPI) return JSON.parse(readFileSync(join(root, source), "utf8")).info.title;
  const heading = /^# (.+)$/m.exec(readFileSync(join(root, source), "utf8").replace(/^ *```[\s\S]*?^ *```$/gm, ""));
  if (heading === null) throw new Error(`${source} has no title; begin it with a line such as "# Title"`);
  return heading[1].replace(/`/g, "").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}
