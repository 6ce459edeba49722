import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { noBrowser } from "../src/browser.js";
import { Demo } from "../src/demo.js";
import { KEY } from "../src/program.js";
import { ACTION, RawClient } from "../src/raw.js";
import { until } from "../src/until.js";

const ROOMS = 1_000;
const CROWD = 1_000;
const SETTINGS = `
limits:
  attachments-per-connection: ${ROOMS}
  members-per-channel: ${CROWD}
  messages-at-once: ${2 * CROWD}
`;

describe("the console with 1,000 channels and 1,000 members in one channel", { skip: noBrowser }, () => {
  const folder = mkdtempSync(join(tmpdir(), "doyen-search-"));
  const settings = join(folder, "hub.yaml");
  writeFileSync(settings, SETTINGS);
  const demo = new Demo({ command: "hub", arguments: ["--settings", settings] });
  const clients: RawClient[] = [];
  let page: Page;

  before(async () => {
    const crowd = await connect();
    const presence = Array.from({ length: CROWD }, (_, i) => ({ action: 2, clientId: `member-${1000 + i}` }));
    crowd.send({ action: ACTION.presence, msgSerial: 0, channel: "crowd", presence });
    crowd.send({
      action: ACTION.presence,
      msgSerial: 1,
      channel: "room-7",
      presence: [{ action: 2, clientId: "ann", data: "leader" }],
    });
    for (let from = 0; from < ROOMS; from += ROOMS / 2) {
      const client = await connect();
      for (let i = from; i < from + ROOMS / 2; i++) client.send({ action: ACTION.attach, channel: `room-${i}` });
    }
    ({ page } = await demo.visit(demo.program.console.href));
  });
  after(() => {
    for (const client of clients) client.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function connect(): Promise<RawClient> {
    const client = await RawClient.open(demo.program.hub, { key: KEY, format: "json", v: "4" });
    clients.push(client);
    await client.next();
    return client;
  }

  const text = (selector: string): Promise<string> =>
    page.evaluate((found) => document.querySelector(found)?.textContent ?? "", selector);
  const shows = (selector: string, expected: string): Promise<string> =>
    until(
      `${selector} shows "${expected}"`,
      () => text(selector),
      (shown) => shown === expected,
    );
  const count = (selector: string): Promise<number> => page.locator(selector).count();

  test("shows how many channels and members it does not show", async () => {
    await shows("#figure-channels", "1,001");
    await shows("#figure-members", "1,001");
    await shows("#channels-shown", "100 of 1,001 channels shown. Search to see the others.");
    assert.equal(await count("#channels .channel"), 100);
    assert.equal(await text("#channels .channel .name"), "room-7", "the channel with a leader comes first");
    await shows("#channels .more", "20 of 1,000 members shown.");
  });

  test("the fields of the search have one height and stand in one line", async () => {
    const boxes = await Promise.all(
      (await page.locator("#filter input, #filter select").all()).map((field) => field.boundingBox()),
    );
    assert.equal(boxes.length, 3);
    assert.equal(new Set(boxes.map((box) => `${box?.y} ${box?.height}`)).size, 1, JSON.stringify(boxes));
  });

  test("finds channels by name, members by id, and channels by their leader", async () => {
    await page.fill("#filter [name=channel]", "CROWD");
    await shows("#channels-shown", "1 of 1 matching channel shown, 1,001 in all.");
    await shows("#announcement", "1 of 1 matching channel shown, 1,001 in all.");
    await shows("#channels .more", "200 of 1,000 members shown.");
    assert.equal(await count("#channels .chip"), 200);

    await page.fill("#filter [name=member]", "member-177");
    await shows("#channels .more", "10 of 10 matching members shown, 1,000 in all.");
    await page.fill("#filter [name=channel]", "");
    await page.fill("#filter [name=member]", "member-1777");
    await shows("#channels .more", "1 of 1 matching member shown, 1,000 in all.");
    await shows("#channels .chip:not(.leads)", "member-1777");

    await page.fill("#filter [name=member]", "");
    await page.selectOption("#filter [name=show]", "led");
    await shows("#channels .chip.leads", "ann");
    await shows("#channels-shown", "1 of 1 matching channel shown, 1,001 in all.");
    await page.selectOption("#filter [name=show]", "all");
    await page.fill("#filter [name=channel]", "room-99");
    await shows("#channels-shown", "11 of 11 matching channels shown, 1,001 in all.");
    await page.fill("#filter [name=channel]", "nothing");
    await page.press("#filter [name=channel]", "Enter");
    await shows("#channels", "No channel matches the search.");
    assert.equal(new URL(page.url()).search, "", "the Enter key does not send the form to the server");
    await page.fill("#filter [name=channel]", "");
    await shows("#channels-shown", "100 of 1,001 channels shown. Search to see the others.");
  });
});
