import assert from "node:assert/strict";
import { test } from "node:test";
import { endOf, type Recording } from "../src/recording.js";
import { frameAt, type Frame } from "../src/frame.js";
import { sample } from "./samples.js";

const ALL = ["worst", "lost", "peterson", "killed", "cut", "split"] as const;

test("the worst order of five members takes fifteen election messages and five elected messages", () => {
  const frame = atEnd(sample("worst"));
  assert.equal(frame.counts.elect, 15);
  assert.equal(frame.counts.elected, 5);
  assert.deepEqual(
    frame.contests.map(({ members, sentAt }) => [members, sentAt.length]),
    [[5, 15]],
  );
  assert.deepEqual(leading(frame), [5]);
  assert.equal(frame.lit.length, 5);
  assert.ok(frame.members.every((member) => member.leader === frame.leaders[0]));
});

test("a frame does not contain later events", () => {
  const recording = sample("worst");
  const begin = frameAt(recording, 0);
  assert.deepEqual(
    begin.tokens.map(({ sent, progress }) => [sent.number, progress]),
    [5, 4, 3, 2, 1].map((number) => [number, 0]),
  );
  assert.deepEqual(leading(begin), []);
  assert.ok(frameAt(recording, 4).tokens.every(({ progress }) => progress === 0.4));
  const later = frameAt(recording, 10);
  assert.equal(later.counts.elect, 9);
  assert.deepEqual(
    later.traces.filter(({ fate }) => fate === "stopped").map(({ sent, age }) => [sent.number, age]),
    [[1, 0]],
  );
});

test("a member becomes inactive when it forwards a greater number, and the greatest member stays active", () => {
  const frame = frameAt(sample("worst"), 25);
  assert.deepEqual(
    frame.members.map(({ number, part }) => [number, part]),
    [
      [5, "active"],
      [4, "relay"],
      [3, "relay"],
      [2, "relay"],
      [1, "relay"],
    ],
  );
});

test("a trace fades and is removed", () => {
  const recording = sample("lost");
  const lostAt = recording.events.find((event) => event.what === "ended" && event.fate === "lost")!.at;
  const ages = (at: number) =>
    frameAt(recording, at)
      .traces.filter(({ fate }) => fate === "lost")
      .map(({ age }) => age);
  assert.deepEqual(ages(lostAt), [0]);
  assert.ok(ages(lostAt + 5)[0]! > 0.5);
  assert.deepEqual(ages(lostAt + 9), []);
});

test("repeated messages are counted separately in the same election", () => {
  const frame = atEnd(sample("lost"));
  assert.equal(frame.counts.retry, 5);
  assert.equal(frame.contests.length, 1);
  assert.equal(frame.contests[0]!.sentAt.length, frame.counts.elect + frame.counts.retry);
});

test("with Peterson's algorithm, at most half of the members stay active after each phase", () => {
  const recording = sample("peterson");
  const phases = [21, 61].map((at) => frameAt(recording, at).members.filter(({ part }) => part === "active"));
  assert.deepEqual(
    phases[0]!.map(({ number, temporaryId }) => [number, temporaryId]),
    [
      [3, 5],
      [2, 7],
      [1, 8],
      [4, 6],
    ],
  );
  assert.deepEqual(
    phases[1]!.map(({ number, temporaryId }) => [number, temporaryId]),
    [[4, 8]],
  );
  const end = atEnd(recording);
  assert.deepEqual(leading(end), [8]);
  assert.equal(end.contests[0]!.sentAt.length, end.counts.compare);
});

test("a crashed leader is neither in the next ring nor at a highlighted link", () => {
  const recording = sample("killed");
  const frame = atEnd(recording);
  const dead = recording.numbers.indexOf(5);
  assert.equal(frame.members[dead]!.part, "crashed");
  assert.deepEqual(leading(frame), [4]);
  assert.deepEqual(
    frame.rings.map((ring) => ring.map((place) => recording.numbers[place])),
    [[3, 2, 4, 1]],
  );
  assert.ok(frame.lit.every(({ from, to }) => from !== dead && to !== dead));
  assert.deepEqual(
    frame.contests.map(({ members }) => members),
    [5, 4],
  );
});

test("a partition has two rings and two leaders, and one ring with one leader remains after it", () => {
  for (const name of ["cut", "split"] as const) {
    const recording = sample(name);
    const healed = recording.events.find(({ what }) => what === "healed")!.at;
    const before = frameAt(recording, healed - 1);
    assert.equal(before.rings.length, 2);
    assert.equal(before.leaders.length, 2);
    assert.notEqual(before.parted, null);
    const end = atEnd(recording);
    assert.equal(end.rings.length, 1);
    assert.equal(end.leaders.length, 1);
    assert.equal(end.parted, null);
    assert.equal(end.lit.length, recording.numbers.length);
  }
});

test("every sent message is counted once, and is in transit, complete or removed", () => {
  for (const name of ALL) {
    const recording = sample(name);
    const end = atEnd(recording);
    const sent = recording.events.filter(({ what }) => what === "sent").length;
    const ended = recording.events.filter(({ what }) => what === "ended").length;
    assert.equal(
      Object.values(end.counts).reduce((sum, count) => sum + count, 0),
      sent,
    );
    assert.equal(end.tokens.length, sent - ended);
  }
});

function atEnd(recording: Recording): Frame {
  return frameAt(recording, endOf(recording));
}

function leading(frame: Frame): number[] {
  return frame.leaders.map((place) => frame.members[place]!.number);
}
