import assert from "node:assert/strict";
import { test } from "node:test";
import { Story } from "../src/story.js";
import { sample } from "./samples.js";

const EVER = Number.MAX_SAFE_INTEGER;

test("an election is told from its beginning to its end", () => {
  const lines = texts("worst");
  assert.equal(lines[0], "5 members on a ring. Each sends its number to the next one.");
  assert.equal(lines[1], "5 swallows 1's token: 5 is greater.");
  assert.equal(lines[5], "5's own token is home, so nobody is greater. 5 leads, in term 1, and tells all by a lap.");
  assert.equal(lines.at(-1), "The lap is home: all on this ring know that 5 leads.");
});

test("several that end at once are told together", () => {
  assert.ok(texts("lost").includes("5 swallows 3, 4 swallows 2 and 3 swallows 1."));
});

test("what is lost and what is sent again is told", () => {
  const lines = texts("lost");
  const lost = lines.indexOf("5's token is lost on its way from 4 to 1.");
  const again = lines.indexOf("5 has heard of nobody greater and not of its own token: it sends its number again.");
  assert.ok(lost > 0 && again > lost);
});

test("with Peterson it is told who stays in, and for whom", () => {
  const lines = texts("peterson");
  assert.ok(lines.includes("4 stays in, for 8; 3, 2 and 1 only pass on from here."));
  assert.ok(lines.includes("8 is out, and passes its own number on."));
  assert.ok(lines.includes("4 hears 8, for which it stands itself: no other number is left."));
  assert.ok(lines.includes("5 passes the word on to 8 that it has won."));
});

test("a leader that dies, and who notices when", () => {
  const lines = texts("killed");
  const crash = lines.indexOf("5, the leader, crashes. Nobody has noticed yet.");
  assert.equal(lines[crash + 1], "The membership says that 5 is gone: a new view, and an election among the others.");
});

test("two leaders, and why the one with the greater number gives way", () => {
  const lines = texts("cut");
  const inOrder = [
    "5, the leader, is cut off: nothing gets in or out.",
    "The membership tells 5 that it is alone: it leads on. Without a quorum each side has a leader.",
    "The network carries again. The membership has yet to notice.",
    "4 swallows 5's token: 4 leads in a later term.",
    "5 meets the word of a later term, and stops leading.",
  ].map((line) => lines.indexOf(line));
  assert.ok(
    inOrder.every((at, i) => at > (inOrder[i - 1] ?? 0)),
    JSON.stringify(inOrder),
  );
  assert.ok(texts("split").includes("1's token is at 6 before the new view is: it is kept until that comes."));
});

test("the line of a time is the last one, however the times are asked for", () => {
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
