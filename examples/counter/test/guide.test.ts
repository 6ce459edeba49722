import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Guide, type Known } from "../src/guide.js";

const known = (leader: string, term: number, members = 2): Known => ({
  self: "me",
  leader: { id: leader, term },
  members,
});

describe("the guide", () => {
  it("closes_the_leader_freezes_the_next_and_lets_the_frozen_leader_write", () => {
    const guide = new Guide((id) => id);
    assert.equal(guide.enabled(known("ann", 1)), "close");
    assert.equal(guide.start(known("ann", 1)), "ann");
    assert.equal(guide.enabled(known("ann", 1)), null);
    guide.leads({ id: "ann", term: 1 });
    assert.equal(guide.enabled(known("ann", 1)), null);
    guide.leads({ id: "ben", term: 2 });
    assert.match(guide.text(known("ben", 2)), /^ben leads now, in term 2, .* Button 2 freezes ben/);

    assert.equal(guide.enabled(known("ben", 2)), "freeze");
    assert.equal(guide.start(known("ben", 2)), "ben");
    guide.leads({ id: "me", term: 3 });
    assert.match(guide.text(known("me", 3)), /ben is still frozen\. Button 3 wakes ben/);

    assert.equal(guide.enabled(known("me", 3)), "write");
    assert.equal(guide.start(known("me", 3)), "ben");
    guide.wrote("Its write carried term 2.");
    assert.match(guide.text(known("me", 3)), /^Its write carried term 2\. /);
  });

  it("needs_a_second_page_and_does_not_close_its_own_page", () => {
    const guide = new Guide((id) => id);
    assert.equal(guide.enabled(known("ann", 1, 1)), null);
    assert.match(guide.text(known("ann", 1, 1)), /^Open another tab first/);
    assert.equal(guide.enabled(known("me", 1)), null);
    assert.match(guide.text(known("me", 1)), /^This tab leads/);
  });

  it("starts_again_if_the_leader_is_not_a_tab_of_this_browser", () => {
    const guide = new Guide((id) => id);
    guide.start(known("phone", 1));
    guide.unreached();
    assert.match(guide.text(known("phone", 1)), /^phone is not a tab of this browser/);
    assert.equal(guide.enabled(known("phone", 1)), "close");
  });
});
