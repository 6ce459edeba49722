import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { join, leaderOf, leaders, three, time, workOf, type Page } from "./ring-page.js";

describe("the work of a leader on a ring", () => {
  it("what_onElection_returns_is_work_which_the_signal_ends_and_nobody_leads_before_it_has", async () => {
    const pages = await three();
    const first = leaderOf(pages);
    const heir = pages.find((page) => page !== first) as Page;
    // It comes late, and is told of the term that lasts.
    first.ring.onElection(async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      await new Promise<void>((resolve) => time.after(400, resolve));
    });
    await time.advance(1);
    first.ring.transferTo(heir.ring.id);
    await time.advance(395);
    assert.deepEqual(leaders(pages), []);
    await time.advance(200);
    assert.equal(leaderOf(pages), heir);
    assert.deepEqual(first.errors, []);
  });

  it("work_that_has_ended_before_its_term_holds_nobody_up", async () => {
    const ann = await join("ann");
    ann.ring.onElection(async () => {});
    const bob = await join("bob");
    await time.advance(1000);
    ann.ring.resign();
    await time.advance(100);
    assert.equal(leaderOf([ann, bob]), bob);
  });

  it("who_is_elected_again_is_told_so_when_the_work_of_the_term_before_has_stopped", async () => {
    const ann = await join("ann", { cooldownMillis: 0 });
    await time.advance(200);
    const end = await workOf(ann);
    ann.ring.resign();
    await time.advance(1000);
    assert.deepEqual([ann.elections.length, ann.ring.isLeader], [1, false]);
    assert.equal(ann.ring.leader?.self, true);
    end();
    await time.advance(1);
    assert.deepEqual(
      ann.elections.map(({ term, isLeader }) => [term, isLeader]),
      [
        [1, false],
        [2, true],
      ],
    );
    await time.advance(10_000);
    assert.deepEqual([ann.ring.isLeader, ann.errors], [true, []]);
  });

  it("a_term_that_came_and_went_while_the_work_of_the_one_before_went_on_is_told_to_nobody", async () => {
    const ann = await join("ann", { cooldownMillis: 0 });
    await time.advance(200);
    const end = await workOf(ann);
    ann.ring.resign();
    await time.advance(500);
    ann.ring.resign();
    await time.advance(500);
    end();
    await time.advance(1);
    assert.deepEqual([ann.elections.map(({ term }) => term), ann.losses], [[1, 3], ["resigned"]]);
  });

  it("who_has_work_that_outlives_the_time_to_lead_stands_back_until_it_has_stopped_and_onError_is_told", async () => {
    const ann = await join("ann", { cooldownMillis: 0 });
    const end = await workOf(ann);
    const bob = await join("bob", { priority: 0 });
    await time.advance(1000);
    assert.equal(leaderOf([ann, bob]), ann);
    ann.ring.resign();
    await time.advance(6399);
    assert.deepEqual(ann.errors, []);
    await time.advance(1);
    assert.match(String(ann.errors[0]), /term 1 was over 6400 ms ago, and its work has not stopped: until it has, /);
    await time.advance(1000);
    // It has the greater priority.
    assert.equal(leaderOf([ann, bob]), bob);
    bob.client.fallSilent();
    await time.advance(20_000);
    assert.deepEqual([ann.ring.members.length, ann.ring.isLeader, ann.ring.leader], [1, false, null]);
    end();
    await time.advance(100);
    assert.equal(ann.ring.isLeader, true);
    assert.equal(ann.elections.length, 2);
    assert.equal(ann.errors.length, 1);
  });

  it("a_page_that_stands_still_leaves_at_once_and_stands_again_when_it_goes_on_and_its_work_has_stopped", async () => {
    const page = new EventTarget();
    const pages = globalThis as { document?: unknown; window?: unknown };
    Object.assign(pages, { document: page, window: page });
    const ann = await join("ann");
    delete pages.document;
    delete pages.window;
    const end = await workOf(ann);
    const bob = await join("bob", { priority: 0 });
    await time.advance(1000);
    page.dispatchEvent(new Event("freeze"));
    await time.advance(300);
    assert.deepEqual([ann.losses, bob.ring.members.length], [["suspended"], 1]);
    await time.advance(10_000);
    page.dispatchEvent(new Event("resume"));
    await time.advance(1000);
    assert.equal(leaderOf([ann, bob]), bob);
    bob.ring.resign();
    await time.advance(1000);
    assert.deepEqual([ann.ring.leader?.self ?? false, bob.ring.leader], [false, null]);
    end();
    await time.advance(6000);
    assert.equal(leaderOf([ann, bob]), ann);
    for (const event of ["freeze", "resume"]) {
      page.dispatchEvent(new Event(event));
      await time.advance(1000);
    }
    void bob.ring.close();
    await time.advance(1000);
    assert.equal(leaderOf([ann]), ann);
  });

  it("who_closes_waits_for_its_work_no_longer_than_it_could_have_led_and_does_not_stand_again", async () => {
    const pages = await three();
    const first = leaderOf(pages);
    const end = await workOf(first);
    let isClosed = false;
    void first.ring.close().then(() => (isClosed = true));
    await time.advance(2000);
    assert.equal(isClosed, false);
    await time.advance(4500);
    assert.equal(isClosed, true);
    end();
    await time.advance(1000);
    leaderOf(pages.filter((page) => page !== first));
    assert.deepEqual(first.errors, []);
  });
});
