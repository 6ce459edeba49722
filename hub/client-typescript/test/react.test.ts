import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { LeaderOnly, SwarmProvider, useLeader } from "../src/react.js";
import { shared } from "../src/shared.js";

describe("the React hook on a server", () => {
  const options = { key: "app.id:secret", endpoint: "localhost", port: 1 };

  it("renders_a_follower_and_opens_no_connection", () => {
    const Room = () => {
      const { isLeader, leadership, leader, term, members, status, swarm } = useLeader("room");
      return JSON.stringify([isLeader, leadership, leader, term, members, status, swarm]);
    };
    const html = renderToString(createElement(SwarmProvider, { options }, createElement(Room)));
    assert.equal(html.replaceAll("&quot;", '"'), '[false,null,null,null,[],"connecting",null]');
  });

  it("renders_the_fallback_of_LeaderOnly", () => {
    const only = createElement(LeaderOnly, { channel: "room", options, fallback: "wait", children: "lead" });
    assert.equal(renderToString(only), "wait");
    assert.equal(renderToString(createElement(LeaderOnly, { channel: "room", options, children: "lead" })), "");
  });
});

describe("shared swarms", () => {
  it("compares_options_by_value_and_ignores_functions", (t) => {
    const page = globalThis as { document?: unknown };
    page.document = {};
    t.after(() => delete page.document);
    const options = () => ({ key: "k:s", port: 1, onError: () => {} });
    assert.equal(shared("room", options()), shared("room", options()));
    assert.notEqual(shared("room", options()), shared("hall", options()));
    assert.notEqual(shared("room", options()), shared("room", { ...options(), port: 2 }));
    const [one, other] = [{ client: {} as never }, { client: {} as never }];
    assert.equal(shared("room", one), shared("room", { ...one }));
    assert.notEqual(shared("room", one), shared("room", other));
  });
});
