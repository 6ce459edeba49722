import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { launch, noBrowser, open, shown } from "../src/browser.js";
import { Demo } from "../src/demo.js";
import { KEY } from "../src/program.js";
import { until } from "../src/until.js";

const LEADER = "#channels .channel .head .chip.leads";

/** Returns the whole id of the leader, which the console shows as a tooltip. */
const leaderId = (page: Page): Promise<string> =>
  page.evaluate((found) => document.querySelector<HTMLElement>(found)?.title ?? "", LEADER);

describe("admin commands from the console in Chromium", { skip: noBrowser }, () => {
  const demo = new Demo({ claimTtl: "10s" });

  const text = (page: Page, selector: string): Promise<string> =>
    page.evaluate((found) => document.querySelector(found)?.textContent ?? "", selector);

  async function send(console: Page, verb: string): Promise<void> {
    await console.click(`#channels .commands .${verb}`);
    await console.click("#command .confirm");
  }

  async function outcome(console: Page): Promise<string> {
    return until(
      "the outcome of the command",
      () => console.evaluate(() => document.querySelector<HTMLElement>("#outcome:not([hidden])")?.textContent ?? ""),
      (text) => text !== "",
    );
  }

  test("Resign elects another member; Transfer elects the successor or reports the reason; Pause ends the leadership", async () => {
    const context = await demo.browser.newContext();
    const errors: string[] = [];
    context.on("weberror", (error) => errors.push(error.error().message));
    const pages = [await open(context, demo.program.hub), await open(context, demo.program.hub)];
    await until(
      "one of two members leads",
      () => Promise.all(pages.map(shown)),
      (seen) => seen.filter((page) => page.leader).length === 1 && seen.every((page) => page.id !== ""),
    );
    const console = await open(context, demo.program.console);
    const first = await until("a leader's chip", () => leaderId(console), Boolean);
    const name = await text(console, LEADER);
    await until(
      "two members",
      () => text(console, "#figure-members"),
      (members) => members === "2",
    );

    await console.click("#channels .commands .resign");
    assert.match(await text(console, "#command .question"), new RegExp(`^“${name}” steps down in “counter”`));
    await console.click("#command .cancel");
    assert.equal(await leaderId(console), first, "a cancelled command has no effect");

    await send(console, "resign");
    assert.match(await outcome(console), new RegExp(`^"${name}" \\(term \\d+\\) has stepped down\\.$`));
    await until(
      "another leader",
      () => leaderId(console),
      (id) => id !== "" && id !== first,
    );

    await console.click("#channels .commands .transfer");
    await console.fill("#command input[name=to]", "nobody-of-that-name");
    await console.click("#command .confirm");
    assert.match(await outcome(console), /^"nobody-of-that-name" is not present on the channel, so /);
    assert.equal(
      await text(console, "#outcome.refused"),
      await text(console, "#outcome"),
      "the page marks the outcome as rejected",
    );

    await console.click("#channels .commands .transfer");
    assert.equal(await console.inputValue("#command input[name=to]"), name, "the only successor, by its name");
    await console.click("#command .confirm");
    assert.match(await outcome(console), new RegExp(`^"${name}" leads now, in term \\d+\\.$`));
    await until(
      "the named successor leads",
      () => leaderId(console),
      (id) => id === first,
    );

    await send(console, "pause");
    assert.match(await outcome(console), /^Paused: no candidate may lead/);
    await until(
      "nobody leads",
      () => leaderId(console),
      (name) => name === "",
    );
    assert.match(await text(console, "#channels .paused"), /^the election was paused by the admin key through the hub/);

    await console.click("#channels .commands .resume");
    await console.click("#command .confirm");
    await until("a leader again", () => leaderId(console), Boolean);
    assert.deepEqual(errors, [], "no page throws");
    await context.close();
  });

  test("under another host name the console needs a key, and the key is not stored", async (run) => {
    const rebound = await launch(["--host-resolver-rules=MAP rebound.test 127.0.0.1"]);
    run.after(() => rebound.close());
    const context = await rebound.newContext();
    const member = await open(context, demo.program.hub);
    await until(
      "a leader",
      () => shown(member),
      (page) => page.leader,
    );
    const console = await open(context, new URL(`http://rebound.test:${demo.program.hub.port}/console/`));
    await console.waitForSelector("#key-form:not([hidden])");
    const answer = await console.evaluate(async () => {
      const response = await fetch("v1/elections/counter/resign", { method: "POST" });
      return `${response.status} ${await response.text()}`;
    });
    assert.match(answer, /^403 .*need a key/);

    await console.fill("#key", KEY);
    await console.click("#key-form button");
    await until("the leader", () => leaderId(console), Boolean);
    await send(console, "resign");
    assert.match(await outcome(console), /has stepped down\.$/);
    const kept = await console.evaluate(() =>
      JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie]),
    );
    assert.equal(kept, '[{},{},""]');
  });
});
