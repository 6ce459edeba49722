import assert from "node:assert/strict";
import { test } from "node:test";
import type { Ring, RingMember } from "../src/snapshot.js";
import { hueOf } from "../src/names.js";
import { processCommands, question } from "../src/commands.js";
import { durationText, processFigures, remarks, viewSentence } from "../src/process.js";

const member = (id: string, more: Partial<RingMember> = {}): RingMember => ({
  id,
  incarnation: `${id}-1`,
  me: false,
  leads: false,
  ...more,
});

const led: Ring = {
  election: "orders",
  me: "a",
  algorithm: "chang_roberts",
  order: "oldest",
  why: { reason: "leading", sentence: "leads the view of 2 members" },
  leader: { id: "a", term: 3 },
  lastTerm: 3,
  since: 10_000,
  commands: ["resign", "transfer"],
  remaining: 3500,
  confirmedInMicros: 1234,
  confirmed: 69_600,
  view: {
    number: 7,
    creator: "b-1",
    round: 1,
    membersInAll: 2,
    members: [member("a", { me: true, leads: true }), member("b")],
  },
  sent: { election: 4, heartbeat: 1200, nack: 0, transfer: 1, state: 0 },
  dropped: { past: 0 },
  buffered: 0,
};
const unjoined: Ring = {
  election: "orders",
  me: "a",
  algorithm: "peterson",
  order: "lowest_id",
  why: { reason: "not_seen", sentence: "this process has not joined the other members yet" },
  sent: { contest: 0 },
  dropped: {},
  buffered: 0,
};

test("the page shows the figures of a ring, and dashes before the process has joined", () => {
  assert.deepEqual(processFigures({ at: 70_000, leaderships: [], process: led }), {
    "members-count": "2",
    term: "3",
    since: "60 s",
    "since-label": "under this leader",
    confirmed: "0.4 s",
    "confirmed-label": "since the last heartbeat",
    around: "1.2 ms",
    sent: "1,205",
  });
  const { sent, ...others } = processFigures({ at: 70_000, leaderships: [], process: unjoined });
  assert.equal(sent, "0");
  const { "since-label": label, "confirmed-label": _, ...dashes } = others;
  assert.equal(label, "without a leader");
  assert.deepEqual([...new Set(Object.values(dashes))], ["–"]);
});

test("only the leader's page offers admin commands", () => {
  assert.deepEqual(
    processCommands(led).map((command) => [command.verb, command.others]),
    [
      ["resign", ["b"]],
      ["transfer", ["b"]],
    ],
  );
  assert.deepEqual(processCommands({ ...led, commands: [] }), []);
  assert.deepEqual(processCommands(unjoined), []);
});

test("the confirmation on a ring explains the effect of the command", () => {
  const [resign, transfer] = processCommands(led);
  assert.equal(question(resign!), "“a” steps down in “orders”, and the others elect.");
  assert.equal(
    question(transfer!),
    "“a” steps down in “orders”, and the member that you name is elected, if it campaigns.",
  );
});

test("the remarks identify this process and the leader", () => {
  assert.deepEqual(led.view?.members.map(remarks), [["this process", "leads"], []]);
});

test("a sentence describes the view", () => {
  assert.equal(
    viewSentence(led),
    "View 7 of b, round 1. Elects by Chang and Roberts, by priority, then the oldest. Each side of a partition has a leader.",
  );
  const gone = viewSentence({ ...led, view: { ...led.view!, creator: "c-1" } });
  assert.match(gone, /^View 7 of a member that has left, /);
  assert.equal(viewSentence(unjoined), "No view yet. Elects by Peterson, by priority, then the lowest id.");
});

test("a duration is formatted briefly and is never negative", () => {
  const times = [-5, 400, 9_990, 12_000, 99_900, 100_000, 7_000_000, 900_000_000];
  assert.deepEqual(times.map(durationText), ["0.0 s", "0.4 s", "10.0 s", "12 s", "99 s", "1 min", "1 h", "10 d"]);
});

test("names that differ in a number have clearly different hues", () => {
  for (const name of ["orders", "web", "app-7f"]) {
    const hues = [0, 1, 2].map((number) => hueOf(`${name}-${number}`));
    const apart = [
      [0, 1],
      [0, 2],
      [1, 2],
    ].map(([one, other]) => Math.abs(hues[one!]! - hues[other!]!));
    assert.ok(Math.min(...apart.map((degrees) => Math.min(degrees, 360 - degrees))) >= 10, `${name}: ${hues}`);
  }
});
