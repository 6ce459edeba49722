import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { link, places } from "../src/diagram.js";
import { member } from "./sample.js";

describe("the diagram", () => {
  it("draws_the_first_member_at_the_top_and_no_two_members_at_the_same_place", () => {
    for (let count = 3; count <= 7; count++) {
      const all = places(count);
      assert.equal(Math.min(...all.map(({ y }) => y)), all[0]!.y);
      for (let i = 0; i < count; i++) {
        for (let j = 0; j < i; j++) {
          const distance = Math.hypot(all[i]!.x - all[j]!.x, all[i]!.y - all[j]!.y);
          assert.ok(distance > 100, `${count} members: ${i} and ${j} are ${distance} apart`);
        }
      }
    }
  });

  it("draws_the_path_of_the_log_differently_from_other_connections", () => {
    assert.equal(link(member(1), member(2), 2), "log");
    assert.equal(link(member(1), member(3), 2), "open");
    assert.equal(link(member(1), member(3), undefined), "open");
  });

  it("draws_broken_links_to_an_absent_or_unreachable_member", () => {
    for (const away of [{ state: "frozen" }, { state: "ended" }, { state: "starting" }, { cut: true }] as const) {
      assert.equal(link(member(1, away), member(2), 2), "broken");
      assert.equal(link(member(2), member(1, away), 2), "broken");
    }
    const alone = { reaches: [], reachedBy: [] };
    assert.equal(link(member(1, alone), member(2, alone), 2), "broken");
  });
});
