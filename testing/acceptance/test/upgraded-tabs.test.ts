import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { noBrowser, open } from "../src/browser.js";
import { Demo } from "../src/demo.js";
import { Pages } from "../src/pages.js";
import { KEY } from "../src/program.js";
import { until } from "../src/until.js";

/** The state that pages/upgraded-tab.ts reports. */
interface Shown {
  readonly leads: boolean;
  readonly leader: string | null;
  readonly term: number | null;
}

describe("the same page on two devices", { skip: noBrowser }, () => {
  const demo = new Demo();
  let pages: Pages;
  before(async () => {
    pages = await Pages.open(demo.program, { tab: "testing/acceptance/pages/upgraded-tab.ts" });
  });
  after(() => pages.close());

  /** Opens the page on a new device, which is a browser context with its own storage. */
  const visit = async (name: string, query: Record<string, string>): Promise<Page> =>
    open(await demo.browser.newContext(), pages.url("tab", demo.program, { name, ...query }));
  const shown = (page: Page) =>
    page.evaluate<Shown>("globalThis.shown?.() ?? { leads: false, leader: null, term: null }");
  const close = (list: readonly Page[]) => Promise.all(list.map((page) => page.context().close()));

  test("has_one_leader_on_each_device_without_a_hub", async () => {
    const devices = [await visit("one", {}), await visit("other", {})];
    await until(
      "both devices have a leader",
      () => Promise.all(devices.map(shown)),
      (all) => all.every(({ leads }) => leads),
    );
    await close(devices);
  });

  test("has_one_leader_and_calls_it_across_devices_with_the_address_of_a_hub", async () => {
    const hub = demo.program.hub.origin;
    const devices = [await visit("one", { hub, key: KEY }), await visit("other", { hub, key: KEY })];
    const oneLeads = (above: number, list: readonly Page[]) =>
      until(
        "one device leads",
        () => Promise.all(list.map(shown)),
        (all) =>
          all.filter(({ leads }) => leads).length === 1 &&
          all.every(({ leader, term }) => leader === all[0]?.leader && (term ?? 0) > above),
      );
    const all = await oneLeads(0, devices);
    const leads = all.findIndex((each) => each.leads);
    const [leader, follower] = [devices[leads]!, devices[1 - leads]!];
    const answer = await follower.evaluate(`calls.call("sum", [1, 2], { timeoutMillis: 60000 })`);
    assert.deepEqual(answer, { method: "sum", args: [1, 2], by: ["one", "other"][leads] });
    await close([leader]);
    await oneLeads(all[0]?.term ?? 0, [follower]);
    assert.deepEqual(await follower.evaluate(`calls.call("sum", [], { timeoutMillis: 60000 })`), {
      method: "sum",
      args: [],
      by: ["one", "other"][1 - leads],
    });
    await close([follower]);
  });
});
