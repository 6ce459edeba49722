import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import type { Leadership } from "@doyen/swarm";
import { BallotBox, type Paper } from "../src/ballot-box.js";
import { tally, type Poll } from "../src/poll.js";
import { Teller } from "../src/teller.js";

const ballot = (voter: string, choice: number, poll = 1): Paper => ({
  kind: "ballot",
  voter,
  ballot: { poll, choice },
});

/** A leadership whose calls fail on demand. */
class FakeLeadership {
  readonly checkpoint = null;
  readonly end = new AbortController();
  readonly saved: Poll[] = [];
  readonly answered: unknown[] = [];
  failures = 0;

  get signal(): AbortSignal {
    return this.end.signal;
  }

  save(poll: Poll): Promise<void> {
    return this.succeeds(() => this.saved.push(poll));
  }

  publish(_name: string, answer: unknown): Promise<void> {
    return this.succeeds(() => this.answered.push(answer));
  }

  private async succeeds(call: () => void): Promise<void> {
    if (this.failures > 0) {
      this.failures--;
      throw new Error("the hub did not answer");
    }
    call();
  }
}

describe("the teller", () => {
  let leadership: FakeLeadership;
  let ballotBox: BallotBox;
  let errors: number;
  let teller: Teller;
  const called = (paper: Paper): void => {
    ballotBox.put(paper, null);
    teller.called();
  };

  /** Lets time pass until the condition is true. */
  async function until(condition: () => boolean): Promise<void> {
    for (let turn = 0; turn < 100 && !condition(); turn++) await passes();
    assert.ok(condition(), String(condition));
  }

  async function passes(): Promise<void> {
    mock.timers.tick(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }

  beforeEach(async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    leadership = new FakeLeadership();
    ballotBox = new BallotBox();
    errors = 0;
    teller = new Teller(leadership as unknown as Leadership, ballotBox, () => errors++);
    await until(() => leadership.saved.length === 1);
  });

  afterEach(() => {
    leadership.end.abort();
    mock.timers.reset();
  });

  it("counts_a_vote_whose_save_failed_while_it_still_leads", async () => {
    leadership.failures = 2;
    called(ballot("ann", 1));
    await until(() => leadership.saved.length === 2);
    assert.deepEqual(tally(leadership.saved[1]!), [0, 1, 0]);
    assert.equal(errors, 2);
    called(ballot("ben", 2));
    await until(() => leadership.saved.length === 3);
    assert.deepEqual(tally(leadership.saved[2]!), [0, 1, 1]);
  });

  it("keeps_the_votes_of_a_tally_that_the_hub_stored_although_its_save_failed", async () => {
    leadership.failures = 1;
    called(ballot("ann", 1));
    await until(() => errors === 1);
    // The page receives the stored tally.
    ballotBox.dealtWith(ballotBox.papers);
    called(ballot("ben", 2));
    await until(() => leadership.saved.length === 3);
    assert.deepEqual(tally(leadership.saved[2]!), [0, 1, 1]);
  });

  it("sends_an_answer_again_that_failed", async () => {
    leadership.failures = 1;
    called(ballot("ann", 1, 9));
    await until(() => errors === 1);
    assert.equal(ballotBox.papers.length, 1);
    await until(() => ballotBox.papers.length === 0);
    assert.deepEqual(leadership.answered, [{ to: "ann", poll: 9, verdict: "stale", choice: null }]);
  });

  it("leaves_the_open_requests_to_the_next_teller", async () => {
    leadership.failures = Number.MAX_SAFE_INTEGER;
    called(ballot("ann", 1));
    await until(() => errors === 1);
    leadership.end.abort();
    leadership.failures = 0;
    for (let turn = 0; turn < 5; turn++) await passes();
    assert.deepEqual(ballotBox.papers, [ballot("ann", 1)]);
    assert.equal(leadership.saved.length, 1);
  });
});
