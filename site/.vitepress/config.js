import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { slug } from "github-slugger";
import { defineConfig } from "vitepress";
import { findPages, REPOSITORY, sidebar } from "../pages.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const VERSION = process.env.DOYEN_SITE_VERSION;
const CROWN =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Cpath d='M4 24 2 9l8 6 6-10 6 10 8-6-2 15z' fill='%23d9a21b'/%3E%3C/svg%3E";

/** Removes the empty headers of tables. Markdown requires a header in each table, but screen readers announce it. */
function removeEmptyHeaders({ tokens }) {
  let from = 0;
  while ((from = tokens.findIndex(({ type }, i) => i >= from && type === "thead_open")) >= 0) {
    const end = tokens.findIndex(({ type }, i) => i > from && type === "thead_close");
    if (tokens.slice(from, end).every(({ content }) => content === "")) tokens.splice(from, end + 1 - from);
    else from = end;
  }
}

export default defineConfig({
  title: "Doyen",
  description: "Leader election for processes, Kubernetes pods and browser tabs, with fencing tokens.",
  lang: "en",
  srcDir: "target/pages",
  cacheDir: "target/cache",
  // The pages name addresses of local programs, such as http://localhost:8000.
  ignoreDeadLinks: "localhostLinks",
  head: [["link", { rel: "icon", href: CROWN }]],
  markdown: {
    // The anchors are those of the files in the repository.
    anchor: { slugify: slug },
    attrs: { disable: true },
    // The contrast of these colours meets WCAG AA on the background of the code.
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config: (markdown) => markdown.core.ruler.push("table-without-header", removeEmptyHeaders),
  },
  themeConfig: {
    version: VERSION,
    nav: [
      { text: "Guide", link: "/guide/first-leader" },
      { text: "All pages", link: "/contents" },
      {
        text: "API",
        items: [
          { text: "Java", link: "/api/java/index.html", target: "_self" },
          { text: "TypeScript", link: "/api/typescript/index.html", target: "_self" },
          { text: "HTTP", link: "/reference/openapi" },
        ],
      },
      { component: "VersionMenu" },
    ],
    sidebar: sidebar(ROOT, findPages(ROOT)),
    outline: { level: [2, 3] },
    search: { provider: "local" },
    socialLinks: [{ icon: "github", link: REPOSITORY }],
    footer: { message: "Apache License 2.0" },
  },
  vite: {
    // The landing page uses the package as it is published.
    resolve: { alias: { "@doyen/tabs": join(ROOT, "hub/tabs-typescript/dist/src/index.js") } },
  },
});
