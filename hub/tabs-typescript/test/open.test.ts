import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Swarm } from "../src/index.js";
import { openSwarm } from "../src/open.js";
import { FakeBrowser, FakeTab } from "./fake-browser.js";

describe("openSwarm", () => {
  it("elects_among_the_tabs_of_the_browser_without_a_hub", async () => {
    const swarm = await openSwarm("orders", { browser: new FakeTab(new FakeBrowser()), key: "my.key:secret" });
    assert.ok(swarm instanceof Swarm);
  });

  it("rejects_an_address_that_is_not_of_a_hub", async () => {
    for (const hub of ["hub.example.com", "ftp://hub.example.com", ""]) {
      await assert.rejects(openSwarm("orders", { hub }), {
        name: "TypeError",
        message: `hub is "${hub}", but must be an address such as https://hub.example.com`,
      });
    }
  });
});
