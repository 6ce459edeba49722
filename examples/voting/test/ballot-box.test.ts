import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BallotBox, MAX_PAPERS, readPaper, settle, type Paper } from "../src/ballot-box.js";
import { answered, cast, inTally, isDue } from "../src/mine.js";
import { close, count, FIRST_POLL, tally } from "../src/poll.js";

const ballot = (voter: string, choice = 0, poll = 1): Paper => ({ kind: "ballot", voter, ballot: { poll, choice } });

describe("the ballot box", () => {
  it("keeps_the_first_ballot_of_a_voter_until_the_tally_contains_it", () => {
    const ballotBox = new BallotBox();
    assert.equal(ballotBox.put(ballot("ann", 0), null), true);
    assert.equal(ballotBox.put(ballot("ann", 1), null), false);
    ballotBox.put(ballot("ben", 2), null);
    ballotBox.handedOver(count(FIRST_POLL, "ann", { poll: 1, choice: 0 }).poll);
    assert.deepEqual(ballotBox.papers, [ballot("ben", 2)]);
  });

  it("has_the_open_requests_for_the_next_teller", () => {
    const ballotBox = new BallotBox();
    for (const voter of ["ann", "ben", "cat"]) ballotBox.put(ballot(voter, 1), null);
    const handed = settle(FIRST_POLL, [ballot("ann", 1)]).poll;
    ballotBox.handedOver(handed);
    assert.deepEqual(tally(settle(handed, ballotBox.papers).poll), [0, 3, 0]);
  });

  it("keeps_ballots_that_arrive_during_the_counting", () => {
    const ballotBox = new BallotBox();
    ballotBox.put(ballot("ann"), null);
    const taken = ballotBox.papers;
    ballotBox.put(ballot("ben"), null);
    ballotBox.dealtWith(taken);
    assert.deepEqual(ballotBox.papers, [ballot("ben")]);
  });

  it("answers_late_stale_and_repeated_ballots_with_the_counted_vote", () => {
    const poll = count(FIRST_POLL, "ann", { poll: 1, choice: 2 }).poll;
    const papers: Paper[] = [ballot("ann", 0), { kind: "close", poll: 1 }, ballot("ben"), ballot("cat", 0, 9)];
    const settled = settle(poll, papers);
    assert.deepEqual(settled.answers, [
      { to: "ann", poll: 1, verdict: "counted before", choice: 2 },
      { to: "ben", poll: 1, verdict: "late", choice: null },
      { to: "cat", poll: 9, verdict: "stale", choice: null },
    ]);
    assert.deepEqual(settled.poll, close(poll, 1));
  });

  it("removes_an_answered_ballot", () => {
    const ballotBox = new BallotBox();
    ballotBox.put(ballot("ann", 0, 7), FIRST_POLL);
    ballotBox.answered({ to: "ann", poll: 1, verdict: "late", choice: null });
    assert.equal(ballotBox.papers.length, 1);
    ballotBox.answered({ to: "ann", poll: 7, verdict: "stale", choice: null });
    assert.equal(ballotBox.papers.length, 0);
  });

  it("rejects_a_request_that_would_change_nothing_now", () => {
    const ballotBox = new BallotBox();
    const ask: Paper = { kind: "ask", after: 1, question: "And now?", choices: ["Yes", "No"] };
    assert.equal(ballotBox.put(ask, FIRST_POLL), false);
    assert.equal(ballotBox.put({ kind: "close", poll: 2 }, FIRST_POLL), false);
    assert.equal(ballotBox.put({ kind: "close", poll: 1 }, null), false);
    assert.equal(ballotBox.put({ kind: "close", poll: 1 }, FIRST_POLL), true);
    ballotBox.handedOver(close(FIRST_POLL, 1));
    assert.deepEqual(ballotBox.papers, []);
    assert.equal(ballotBox.put(ask, close(FIRST_POLL, 1)), true);
  });

  it("has_a_limit", () => {
    const ballotBox = new BallotBox();
    for (let i = 0; i < MAX_PAPERS; i++) assert.equal(ballotBox.put(ballot(`v${i}`), null), true);
    assert.equal(ballotBox.put(ballot("one-more"), null), false);
  });

  it("reads_the_kind_from_the_message_name_and_the_voter_from_the_hub", () => {
    assert.deepEqual(readPaper("ballot", "ann", { poll: 1, choice: 2, voter: "ben" }), ballot("ann", 2));
    assert.equal(readPaper("ballot", undefined, { poll: 1, choice: 2 }), null);
    assert.deepEqual(readPaper("close", "ann", { poll: 3 }), { kind: "close", poll: 3 });
    const ask = { after: 3, question: "And now?", choices: ["Yes", "No"] };
    assert.deepEqual(readPaper("ask", "ann", ask), { kind: "ask", ...ask });
    for (const name of ["ballot", "close", "ask", "tick"]) assert.equal(readPaper(name, "ann", null), null);
  });
});

describe("the vote of this page", () => {
  const mine = cast(FIRST_POLL, 1, 4, 1000);

  it("is_sent_again_to_the_next_teller_at_once_and_to_the_same_teller_after_a_delay", () => {
    assert.equal(isDue(mine, 4, 2999), false);
    assert.equal(isDue(mine, 4, 3000), true);
    assert.equal(isDue(mine, 5, 1001), true);
    assert.equal(isDue(null, 5, 1001), false);
  });

  it("is_counted_when_the_tally_contains_it_and_not_sent_again", () => {
    assert.equal(inTally(mine, FIRST_POLL, "ann"), mine);
    const counted = inTally(mine, count(FIRST_POLL, "ann", { poll: 1, choice: 1 }).poll, "ann");
    assert.equal(counted?.verdict, "counted");
    assert.equal(isDue(counted, 9, 1e9), false);
    assert.equal(inTally(null, count(FIRST_POLL, "ann", { poll: 1, choice: 2 }).poll, "ann")?.choice, 2);
  });

  it("ends_when_the_next_question_starts_and_accepts_only_its_own_answers", () => {
    assert.equal(inTally(mine, { ...FIRST_POLL, number: 2 }, "ann"), null);
    const late = { to: "ann", poll: 1, verdict: "late", choice: null } as const;
    assert.equal(answered(mine, { ...late, to: "ben" }, "ann"), mine);
    assert.equal(answered(mine, { ...late, poll: 2 }, "ann"), mine);
    assert.deepEqual(answered(mine, late, "ann"), { ...mine, verdict: "late" });
  });
});
