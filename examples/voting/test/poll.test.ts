import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  ask,
  close,
  count,
  FIRST_POLL,
  MAX_VOTES,
  readBallot,
  readPoll,
  readQuestion,
  tally,
  voteOf,
  type Poll,
} from "../src/poll.js";

const voted = (...votes: [string, number][]): Poll =>
  votes.reduce((poll, [voter, choice]) => count(poll, voter, { poll: poll.number, choice }).poll, FIRST_POLL);

describe("the poll", () => {
  it("counts_only_the_first_vote_of_each_voter", () => {
    const poll = voted(["ann", 0], ["ben", 2], ["ann", 1], ["ann", 0]);
    assert.deepEqual(tally(poll), [1, 0, 1]);
    const again = count(poll, "ann", { poll: 1, choice: 2 });
    assert.deepEqual(again, { poll, verdict: "counted before" });
    assert.equal(voteOf(poll, "ann"), 0);
  });

  it("distinguishes_late_stale_and_invalid_ballots_and_counts_none", () => {
    const closed = close(voted(["ann", 0]), 1);
    assert.deepEqual(count(closed, "ben", { poll: 1, choice: 0 }), { poll: closed, verdict: "late" });
    assert.equal(count(closed, "ann", { poll: 1, choice: 1 }).verdict, "counted before");
    const next = ask(closed, 1, "And now?", ["Yes", "No"]);
    assert.deepEqual([next.number, next.open, next.votes], [2, true, {}]);
    assert.deepEqual(count(next, "ben", { poll: 1, choice: 0 }), { poll: next, verdict: "stale" });
    assert.equal(count(next, "ben", { poll: 2, choice: 2 }).verdict, "no such choice");
    assert.equal(count(next, 'b"n', { poll: 2, choice: 1 }).verdict, "no name");
    assert.equal(count(next, "ann", { poll: 2, choice: 1 }).verdict, "counted");
  });

  it("closes_only_once_and_accepts_each_next_question_only_once", () => {
    assert.equal(ask(FIRST_POLL, 1, "Too soon?", ["Yes", "No"]), FIRST_POLL);
    const closed = close(FIRST_POLL, 1);
    assert.equal(close(closed, 1), closed);
    const next = ask(closed, 1, "And now?", ["Yes", "No"]);
    assert.equal(ask(close(next, 2), 1, "Again?", ["Yes", "No"]).number, 2);
    assert.equal(close(next, 1), next);
  });

  it("accepts_only_as_many_votes_as_a_checkpoint_can_contain", () => {
    const votes = Array.from({ length: MAX_VOTES }, (_, i) => [`${"v".repeat(60)}${1000 + i}`, 5] as [string, number]);
    const choices = Array.from({ length: 6 }, () => "ä".repeat(40));
    const poll: Poll = { ...FIRST_POLL, question: "ä".repeat(140), choices, votes: Object.fromEntries(votes) };
    assert.deepEqual(count(poll, "one-more", { poll: 1, choice: 0 }), { poll, verdict: "full" });
    const bytes = new TextEncoder().encode(JSON.stringify(poll)).length;
    assert.ok(bytes < 48 * 1024, `${bytes} bytes`);
    assert.deepEqual(readPoll(JSON.parse(JSON.stringify(poll))), poll);
  });

  it("counts_a_voter_whose_name_is_a_property_of_every_object", () => {
    const poll = count(FIRST_POLL, "__proto__", { poll: 1, choice: 1 }).poll;
    const moved = readPoll(JSON.parse(JSON.stringify(poll)));
    assert.equal(count(moved!, "__proto__", { poll: 1, choice: 0 }).verdict, "counted before");
    assert.equal(voteOf(FIRST_POLL, "constructor"), null);
    assert.deepEqual(tally(moved!), [0, 1, 0]);
  });

  it("rejects_a_state_that_it_cannot_have_written", () => {
    const good = voted(["ann", 1]);
    const bad: unknown[] = [null, [], "poll", {}, { ...good, number: 0 }, { ...good, open: 1 }, { ...good, votes: [] }];
    bad.push({ ...good, votes: { ann: 3 } }, { ...good, votes: { ann: "0" } }, { ...good, votes: { "": 0 } });
    bad.push({ ...good, choices: ["one"] }, { ...good, question: " " });
    for (const state of bad) assert.equal(readPoll(state), null, JSON.stringify(state));
    for (const data of [null, {}, { poll: 1 }, { poll: 1.5, choice: 0 }]) assert.equal(readBallot(data), null);
    assert.equal(readQuestion({ question: "x".repeat(141), choices: ["a", "b"] }), null);
    assert.equal(readQuestion({ question: "x", choices: ["a", "b".repeat(41)] }), null);
  });
});
