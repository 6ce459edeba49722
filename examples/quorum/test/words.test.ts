import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { addition, choices, condition, explanation, headline, roleText } from "../src/words.js";
import type { Member, State } from "../src/state.js";
import { member, state } from "./sample.js";

const texts = (of: Member, all: State): string[] =>
  choices(of, all).map(({ label, consequence, enabled }) => `${enabled ? "" : "(no) "}${label}: ${consequence}`);

describe("the buttons of a member", () => {
  it("warn_that_another_member_continues_if_it_leads_the_election", () => {
    assert.deepEqual(texts(member(1, { leads: true }), state()), [
      "Kill: SIGKILL: another member continues in seconds",
      "Freeze: SIGSTOP: another member continues in seconds",
      "Cut off: no messages: another member continues in seconds",
      "(no) Remove: at least three members must remain; add one first",
    ]);
  });

  it("distinguish_the_leader_of_the_log_from_a_follower", () => {
    assert.match(texts(member(2, { role: "leader" }), state())[0]!, /another member leads the log$/);
    assert.match(texts(member(3), state())[0]!, /SIGKILL: the count continues$/);
  });

  it("warn_before_the_majority_is_lost", () => {
    const two = state({ quorum: { voters: 3, needed: 2, available: 2, logLeader: 2 } });
    assert.match(texts(member(1, { leads: true }), two)[0]!, /no majority remains, so the count stops$/);
    assert.match(texts(member(4, { votes: false, role: "learner" }), two)[0]!, /the count continues$/);
  });

  it("undo_the_last_action", () => {
    assert.match(texts(member(1, { state: "ended" }), state())[0]!, /^Restart: with the log in its directory$/);
    assert.match(texts(member(1, { state: "frozen" }), state())[1]!, /^Thaw: SIGCONT: the process continues$/);
    assert.match(texts(member(1, { cut: true }), state())[2]!, /^Reconnect: it receives the writes that it missed$/);
  });

  it("are_disabled_if_they_cannot_work", () => {
    const ended = texts(member(1, { state: "ended" }), state());
    assert.match(ended[1]!, /^\(no\) Freeze/);
    assert.match(ended[2]!, /^\(no\) Cut off/);
    assert.match(texts(member(1), state({ canFreeze: false }))[1]!, /^\(no\) Freeze: this system has no kill command$/);
    const four = [1, 2, 3, 4].map((number) => member(number));
    const alone = { voters: 4, needed: 3, available: 2 };
    assert.match(
      texts(member(1), state({ members: four, quorum: alone }))[3]!,
      /^\(no\) Remove: only a majority can confirm the change$/,
    );
    assert.match(texts(member(1), state({ members: four }))[3]!, /^Remove: the other members continue without it/);
    assert.ok(texts(member(1, { leaving: true }), state({ members: four })).every((each) => each.startsWith("(no)")));
  });
});

describe("the button that adds a member", () => {
  it("is_disabled_at_seven_members_during_a_change_and_without_a_majority", () => {
    assert.equal(addition(state()), null);
    assert.equal(
      addition(state({ members: [1, 2, 3, 4, 5, 6, 7].map((n) => member(n)) })),
      "seven members are the limit",
    );
    assert.equal(addition(state({ changing: true })), "a change is under way");
    assert.match(addition(state({ quorum: { voters: 3, needed: 2, available: 1 } }))!, /^only a majority/);
  });
});

describe("the words of the page", () => {
  it("name_the_counting_member_or_explain_why_no_member_counts", () => {
    const { leader: _, ...leaderless } = state();
    assert.equal(headline(state()), "Member 1 counts");
    assert.equal(explanation(state()), "It leads in term 2. 3 of 3 voters take part, and 2 are a majority.");
    assert.equal(headline(leaderless), "No process counts now");
    assert.match(explanation(leaderless), /Another member leads after the old lease has expired, within 3 s\.$/);
    const lost = { ...leaderless, quorum: { voters: 3, needed: 2, available: 1 } };
    assert.equal(headline(lost), "Without a majority no process counts");
    assert.match(explanation(lost), /^1 of 3 voters take part, and 2 are a majority\. Restart/);
    assert.equal(headline({ ...leaderless, started: false }), "Nothing runs yet");
  });

  it("have_a_different_word_for_each_state_and_role", () => {
    const conditions: Partial<Member>[] = [
      {},
      { state: "starting" },
      { state: "frozen" },
      { state: "ended" },
      { cut: true },
      { leaving: true },
    ];
    assert.equal(new Set(conditions.map((each) => condition(member(1, each)))).size, conditions.length);
    const roles = ["leader", "follower", "candidate", "learner", "waiting"] as const;
    assert.equal(new Set(roles.map((role) => roleText(member(1, { role })))).size, roles.length);
  });
});
