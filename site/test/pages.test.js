import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { findPages, OPENAPI, pageText, sidebar } from "../pages.js";
import { checkVersion, linkVersions } from "../versions.js";

/** Writes files into a new folder, and returns the folder. */
function folder(files) {
  const root = mkdtempSync(join(tmpdir(), "doyen-site-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

describe("pages", () => {
  const root = folder({
    "README.md": "# Doyen\n",
    "CONTRIBUTING.md": "# Contributing\n",
    "docs/README.md": "# Documentation\n",
    "docs/guide/concepts.md": "# Concepts\n",
    "docs/picture.png": "",
    "docs/picture-dark.png": "",
    "examples/script/README.md": "# A `nightly` script\n",
    "examples/script/nightly.sh": "",
    "hub/node_modules/other/README.md": "# Not ours\n",
    "site/index.md": "# Doyen\n",
    [OPENAPI]: '{"info": {"title": "API"}}',
  });
  const pages = findPages(root);
  const converted = (text) => pageText(text, "docs/guide/concepts.md", { root, pages, version: "1.2.0" });

  test("docs/ is the root, other folders keep their paths, and pages for contributors are left out", () => {
    assert.deepEqual(Object.fromEntries(pages), {
      [OPENAPI]: "reference/openapi.md",
      "README.md": "overview.md",
      "docs/README.md": "contents.md",
      "docs/guide/concepts.md": "guide/concepts.md",
      "examples/script/README.md": "examples/script/index.md",
      "site/index.md": "index.md",
    });
  });

  test("a link to a page leads to its place in the site, also from a link that spans two lines", () => {
    assert.equal(
      converted("[the\nscript](../../examples/script/README.md#run), [a folder](../../examples/script/)"),
      "[the\nscript](/examples/script/index.md#run), [a folder](/examples/script/index.md)",
    );
  });

  test("a link to another file leads to the repository at the tag of the version", () => {
    assert.equal(
      converted("[`a`](../../examples/script/nightly.sh#L2) [all](../../examples)"),
      "[`a`](https://github.com/doyen-dev/doyen/blob/v1.2.0/examples/script/nightly.sh#L2) " +
        "[all](https://github.com/doyen-dev/doyen/tree/v1.2.0/examples)",
    );
  });

  test("other addresses, links in the page and code stay as they are", () => {
    const text = "[a](https://example.com) [b](#words) `[c](none.md)`\n\n```\n[d](none.md)\n```\n";
    assert.equal(converted(text), text);
  });

  test("a dead link is an error that names the page and the link", () => {
    assert.throws(() => converted("[a](none.md)"), {
      message: "docs/guide/concepts.md links to none.md, but docs/guide/none.md does not exist",
    });
  });

  test("a picture for both colour schemes becomes two images, because a visitor can choose the colour scheme", () => {
    const text = `<picture>
  <source media="(prefers-color-scheme: dark)" srcset="../picture-dark.png">
  <img src="../picture.png" alt="A page" width="760">
</picture>`;
    assert.equal(
      converted(text),
      '<img class="when-light" loading="lazy" src="../picture.png" alt="A page" width="760">' +
        '<img class="when-dark" loading="lazy" src="../picture-dark.png" alt="A page" width="760">',
    );
  });

  test("each page is in the menu that it shows, with a title without Markdown", () => {
    const menus = sidebar(root, pages);
    const links = (path) => menus[path].flatMap(({ items }) => items);
    assert.deepEqual(links("/")[0], { text: "Doyen", link: "/overview" });
    assert.deepEqual(
      links("/").map(({ link }) => link),
      ["/overview", "/guide/concepts", "/contents", "/reference/openapi"],
    );
    assert.deepEqual(links("/examples/")[0], { text: "A nightly script", link: "/examples/script/" });
  });

  test("a page that belongs to no group of the menu is an error", () => {
    const strange = folder({ "strange/README.md": "# Strange\n", [OPENAPI]: '{"info": {"title": "API"}}' });
    assert.throws(() => sidebar(strange, findPages(strange)), /strange\/index\.md belongs to no group/);
  });
});

describe("versions", () => {
  const site = (...versions) =>
    folder(
      Object.fromEntries(
        versions.flatMap((v) => [
          [`${v}/index.html`, v],
          [`${v}/guide/tls.html`, v],
          [`${v}/api/java/a.html`, v],
        ]),
      ),
    );
  const latest = (root) => /href="([^"]+)"/.exec(readFileSync(join(root, "latest/guide/tls.html"), "utf8"))[1];

  test("the list begins with the newest version, and latest leads to it", () => {
    const root = site("0.9.0", "0.10.0", "0.10.0-rc.1", "0.2.0");
    linkVersions(root);
    assert.deepEqual(JSON.parse(readFileSync(join(root, "versions.json"), "utf8")), [
      "0.10.0",
      "0.10.0-rc.1",
      "0.9.0",
      "0.2.0",
    ]);
    assert.equal(latest(root), "../../0.10.0/guide/tls.html");
    assert.match(readFileSync(join(root, "index.html"), "utf8"), /href="latest\/index\.html"/);
  });

  test("a release candidate is not the latest version", () => {
    const root = site("0.9.0", "1.0.0-rc.1");
    linkVersions(root);
    assert.equal(latest(root), "../../0.9.0/guide/tls.html");
  });

  test("a page that the newest version does not have is no longer in latest", () => {
    const root = site("0.9.0");
    mkdirSync(join(root, "latest"));
    writeFileSync(join(root, "latest/old.html"), "");
    linkVersions(root);
    assert.ok(!existsSync(join(root, "latest/old.html")));
    assert.ok(!existsSync(join(root, "latest/api")), "latest has no pages of Javadoc");
  });

  test("a folder without versions is an error", () => {
    assert.throws(() => linkVersions(folder({ "a.txt": "" })), /contains no version; build one first/);
  });

  test("a wrong version is an error that contains the value and the remedy", () => {
    for (const wrong of ["1.2", "v1.2.0", "../1.2.0", "latest"]) {
      assert.throws(() => checkVersion(wrong), {
        message: new RegExp(`^"${wrong.replaceAll(".", "\\.")}" is not a version; use`),
      });
    }
    checkVersion("1.2.0");
    checkVersion("1.2.0-rc.1");
  });
});
