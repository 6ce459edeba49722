import assert from "node:assert/strict";
import { test } from "node:test";
import { Story } from "../src/story.js";
import { sample } from "./samples.js";

const EVER = Number.MAX_SAFE_INTEGER;

test("the story describes an election from its start to its end", () => {
  const lines = texts("worst");
  assert.equal(lines[0], "5 members on a ring. Each sends its number to the next one.");
  assert.equal(lines[1], "5 drops the message of 1, because 5 is greater.");
  assert.equal(
    lines[5],
    "The message of 5 has returned, so 5 has the greatest number. 5 leads in term 1 and sends an elected message around the ring.",
  );
  assert.equal(lines.at(-1), "The elected message has returned. All members of this ring know that 5 leads.");
});

test("the story reports messages that end at the same time in one sentence", () => {
  assert.ok(texts("lost").includes("5 drops 3, 4 drops 2 and 3 drops 1."));
});

test("the story reports a lost message and its repetition", () => {
  const lines = texts("lost");
  const lost = lines.indexOf("The election message of 5 is lost on its way from 4 to 1.");
  const again = lines.indexOf(
    "5 has seen no greater number, and its own message has not returned. It sends its number again.",
  );
  assert.ok(lost > 0 && again > lost);
});

test("with Peterson's algorithm, the story names the active members and the numbers that they represent", () => {
  const lines = texts("peterson");
  assert.ok(lines.includes("4 stays active, for 8; 3, 2 and 1 only forward from now on."));
  assert.ok(lines.includes("8 is not active and forwards its own number."));
  assert.ok(lines.includes("4 receives 8, the number that it represents. No other number is left."));
  assert.ok(lines.includes("5 forwards the message to 8 that it has won."));
});

test("the story reports that the membership removes a crashed leader", () => {
  const lines = texts("killed");
  const crash = lines.indexOf("5, the leader, crashes. Nobody has noticed yet.");
  assert.equal(lines[crash + 1], "The membership removes 5 and installs a new view. The others elect.");
});

test("of two leaders, the leader with the later term remains", () => {
  const lines = texts("cut");
  const inOrder = [
    "5, the leader, is cut off from the others.",
    "The membership installs a view of 5 alone, which continues to lead. On a ring each side of a partition has a leader.",
    "The network works again. The membership has not noticed it yet.",
    "4 drops the message of 5, because 4 leads in a later term.",
    "5 learns of a later term and stops leading.",
  ].map((line) => lines.indexOf(line));
  assert.ok(
    inOrder.every((at, i) => at > (inOrder[i - 1] ?? 0)),
    JSON.stringify(inOrder),
  );
  assert.ok(texts("split").includes("The message of 1 reaches 6 before the new view. 6 keeps it until then."));
});

test("the line of a time is the last line at or before it, in any order of calls", () => {
  const story = new Story(sample("worst"));
  for (const at of [100, 0, 55, 59.9, 60]) {
    assert.equal(story.linesAt(at, 1)[0]!.at, Math.min(100, Math.floor(at / 10) * 10));
  }
  assert.equal(story.next(0), 10);
  assert.equal(story.previous(10), 0);
  assert.equal(story.next(100), null);
  assert.equal(story.previous(0), null);
  assert.equal(story.matters(40, 50), true);
  assert.equal(story.matters(50, 60), false);
});

function texts(name: Parameters<typeof sample>[0]): string[] {
  return [...new Story(sample(name)).linesAt(EVER, EVER)].reverse().map(({ text }) => text);
}
