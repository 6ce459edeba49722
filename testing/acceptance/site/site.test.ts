import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { violations } from "../src/axe.js";
import { launch, noBrowser } from "../src/browser.js";
import { keyboardFaults } from "../src/keyboard.js";
import { ROOT } from "../src/program.js";
import { HANG_MILLIS, until } from "../src/until.js";
import { deadLinks, htmlFiles, ServedFolder } from "./served.js";

/** The folder that `./dev site` has written. */
const SITE = resolve(ROOT, process.env["DOYEN_SITE"] ?? "target/site");
const VERSION: string = JSON.parse(readFileSync(join(SITE, "versions.json"), "utf8"))[0];

/** Searches, and for each of them a page that must be among the first results. */
const SEARCHES: Readonly<Record<string, RegExp>> = {
  "split brain": /how-leader-election-goes-wrong|faq/,
  "distributed lock": /faq|glossary/,
  singleton: /faq|glossary/,
  "high availability": /faq|glossary/,
  troubleshooting: /troubleshooting/,
  "leader election Spring Boot": /guide\/spring|faq/,
  "Kubernetes sidecar": /guide\/kubernetes|faq|reference\/elector/,
};
const FIRST_RESULTS = 5;

/** Pages with text, long tables, code, pictures and the generated page of the HTTP API. */
const PAGES = [
  "",
  "guide/concepts.html",
  "guide/ring.html",
  "reference/cli.html",
  "reference/openapi.html",
  "faq.html",
  "troubleshooting.html",
];

/** The maximum weight of a page in KiB, gzipped, without images: HTML, scripts and styles. */
const MAX_KIB = 120;

describe("the documentation site", { skip: noBrowser }, () => {
  let served: ServedFolder;
  let browser: Browser;
  /** Requests of all pages to other hosts. */
  const foreign: string[] = [];

  before(async () => {
    served = await ServedFolder.open(SITE);
    browser = await launch();
  });
  after(async () => {
    await browser.close();
    served.close();
  });

  /** Opens a page in a new profile of the browser. Requests to other hosts fail. */
  async function visit(path: string, context?: BrowserContext): Promise<Page> {
    const used = context ?? (await browser.newContext({ viewport: { width: 1280, height: 800 } }));
    used.setDefaultTimeout(HANG_MILLIS);
    await used.route("**/*", (route) => {
      const url = route.request().url();
      if (url.startsWith(served.origin) || url.startsWith("data:")) return route.fallback();
      foreign.push(url);
      return route.abort();
    });
    const page = await used.newPage();
    await page.goto(`${served.origin}/${path}`);
    await page.waitForLoadState("networkidle");
    return page;
  }

  const open = (path: string, context?: BrowserContext): Promise<Page> => visit(`${VERSION}/${path}`, context);

  for (const [query, expected] of Object.entries(SEARCHES)) {
    test(`search finds "${query}" without a network`, async () => {
      const page = await open("guide/concepts.html");
      await page.keyboard.press("Control+k");
      const field = page.locator(".VPLocalSearchBox input");
      await field.fill("lease");
      await page.waitForSelector(".VPLocalSearchBox .result");
      await page.context().setOffline(true);
      await field.fill(query);
      const results = await until(
        `results for ${query}`,
        () =>
          page
            .locator(".VPLocalSearchBox a.result")
            .evaluateAll((all, n) => all.slice(0, n).map((each) => each.getAttribute("href") ?? ""), FIRST_RESULTS),
        (found) => found.some((link) => expected.test(link)),
      );
      assert.ok(results.length > 0);
      await page.context().close();
    });
  }

  test("no link is dead", () => {
    const files = htmlFiles(SITE);
    assert.ok(files.filter((file) => !file.includes("/api/")).length > 140, `only ${files.length} pages`);
    for (const api of ["java/dev/doyen/Election.html", "typescript/index.html"]) {
      assert.ok(files.includes(`${VERSION}/api/${api}`), `${api} is missing`);
    }
    // The Javadoc tool of JDK 17 writes a dead link into the contents of this page.
    const ofJavadoc = `${VERSION}/api/java/constant-values.html -> #dev.doyen`;
    assert.deepEqual(
      deadLinks(SITE, files).filter((link) => link !== ofJavadoc),
      [],
    );
  });

  test("a dead link and a missing anchor are found", () => {
    const folder = mkdtempSync(join(tmpdir(), "doyen-links-"));
    mkdirSync(join(folder, "a"));
    writeFileSync(
      join(folder, "a/b.html"),
      '<h1 id="top"></h1><a href="../c.html#end">c</a> <a class="x" href="none.html">n</a>',
    );
    writeFileSync(
      join(folder, "c.html"),
      '<a href="/a/b.html#top">b</a> <a href="a/b.html?q#nowhere">b</a> <a href="https://x.test/">x</a>',
    );
    assert.deepEqual(deadLinks(folder, htmlFiles(folder)), [
      "a/b.html -> ../c.html#end",
      "a/b.html -> none.html",
      "c.html -> a/b.html?q#nowhere",
    ]);
  });

  for (const path of PAGES) {
    test(`/${path} meets WCAG AA in light and dark, at 1180 px, 200 % zoom and 320 px`, async () => {
      const page = await open(path);
      assert.deepEqual(await violations(page), []);
      await page.context().close();
    });
  }

  for (const path of ["", "guide/concepts.html"]) {
    test(`/${path} works with the keyboard alone`, async () => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      // The router of the site handles clicks before later listeners do, so the check must block them first.
      await context.addInitScript(() =>
        addEventListener(
          "click",
          (event) => {
            const { recorder } = globalThis as { recorder?: { clicked: EventTarget | null } };
            if (recorder === undefined) return;
            recorder.clicked = event.target;
            event.preventDefault();
            event.stopImmediatePropagation();
          },
          true,
        ),
      );
      const page = await open(path, context);
      assert.deepEqual(await keyboardFaults(page), []);
      await context.close();
    });
  }

  test("the candidates of two tabs elect one leader, and the next leader continues the count", async () => {
    const first = await open("");
    const second = await open("", first.context());
    const shown = async () =>
      (
        await Promise.all(
          [first, second].map((page) =>
            page.evaluate(() => {
              const { term, count } = document.querySelector<HTMLElement>(".live")!.dataset;
              return [...document.querySelectorAll<HTMLElement>(".live li")].map((each, i) => ({
                i,
                leads: each.dataset["leads"] === "true",
                term: Number(term),
                count: Number(count),
              }));
            }),
          ),
        )
      ).map((candidates, tab) => candidates.map((each) => ({ ...each, tab })));
    const led = (seen: Awaited<ReturnType<typeof shown>>) => seen.flat().filter(({ leads }) => leads);
    const before = await until("a leader that counts", shown, (seen) => {
      const [leader, other] = led(seen);
      return leader !== undefined && other === undefined && seen.flat().every((each) => each.count >= 2);
    });
    const [leader] = led(before);
    const tab = [first, second][leader!.tab]!;
    await tab.locator(".live li").nth(leader!.i).getByRole("button").click();
    const next = await until("another leader that counts", shown, (seen) => {
      const [now] = led(seen);
      return now !== undefined && now.term > leader!.term && seen.flat().every(({ count }) => count > leader!.count);
    });
    assert.equal(led(next).length, 1, "one candidate of six leads");
    assert.match((await tab.textContent(".live .sentence")) ?? "", /leads in term \d+/);
    // The count never restarts: the next leader begins with the saved number.
    assert.ok(led(next)[0]!.count < leader!.count + 60);
    await first.context().close();
  });

  test("the menu lists all versions, and each version has a link", async () => {
    const context = await browser.newContext();
    await context.route("**/versions.json", (route) => route.fulfill({ json: ["9.0.0", VERSION] }));
    const page = await open("guide/concepts.html", context);
    const links = await page
      .locator(".VPNavBar .versions a")
      .evaluateAll((all) => all.map((each) => `${each.textContent?.trim()} ${each.getAttribute("href")}`));
    assert.deepEqual(links, [`9.0.0 /9.0.0/`, `${VERSION} /${VERSION}/`]);
    await context.close();
  });

  test("a link to the latest version leads to the section of the newest version", async () => {
    const page = await visit("latest/guide/concepts.html#words");
    await page.waitForURL(`**/${VERSION}/guide/concepts.html#words`);
    await page.context().close();
  });

  test("a visitor can choose the colour scheme, and pictures follow", async () => {
    const page = await open("guide/ring.html");
    const visible = (kind: string): Promise<boolean> => page.locator(`img.when-${kind}`).first().isVisible();
    assert.deepEqual([await visible("light"), await visible("dark")], [true, false]);
    await page.locator(".VPNavBarAppearance .VPSwitchAppearance").click();
    assert.deepEqual([await visible("light"), await visible("dark")], [false, true]);
    await page.reload();
    assert.ok(await page.evaluate(() => document.documentElement.classList.contains("dark")));
    await page.context().close();
  });

  for (const path of ["", "guide/concepts.html", "reference/cli.html"]) {
    test(`/${path} weighs less than ${MAX_KIB} KiB`, async (t) => {
      const context = await browser.newContext();
      const sizes = new Map<string, number>();
      context.on("response", async (response) => {
        if (response.ok() && /\.(html|js|css)$|\/$/.test(response.url())) {
          sizes.set(response.url(), gzipSync(await response.body()).length);
        }
      });
      const page = await open(path, context);
      const loaded = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
      const needed = [page.url(), ...loaded.filter((url) => /\.(js|css)$/.test(url))];
      await until(
        "the sizes of all files",
        () => needed.filter((url) => !sizes.has(url)),
        (missing) => missing.length === 0,
      );
      const kib = needed.reduce((sum, url) => sum + sizes.get(url)!, 0) / 1024;
      t.diagnostic(`${kib.toFixed(1)} KiB gzipped in ${needed.length} files`);
      assert.ok(kib < MAX_KIB, `${kib.toFixed(1)} KiB: ${JSON.stringify(Object.fromEntries(sizes))}`);
      await context.close();
    });
  }

  test("no page loads anything from another host", () => assert.deepEqual(foreign, []));
});
