import assert from "node:assert/strict";
import { test } from "node:test";
import { Player } from "../src/player.js";
import { frameAt } from "../src/frame.js";
import { Story } from "../src/story.js";
import { sample } from "./samples.js";

function player(name: Parameters<typeof sample>[0], glides = true): Player {
  const recording = sample(name);
  return new Player(recording, new Story(recording), glides);
}

/** Plays frame by frame until the player stops, for at most `atMost` frames. Returns the number of frames. */
function run(one: Player, atMost = 100_000): number {
  let frames = 0;
  for (; frames < atMost && one.playing; frames++) one.pass(16);
  return frames;
}

test("the player plays to the end, stops, and then starts again", () => {
  const one = player("worst");
  one.play();
  const frames = run(one);
  assert.ok(one.ended);
  assert.ok(frames * 16 > 6_000 && frames * 16 < 15_000, `${frames * 16} ms`);
  one.play();
  assert.equal(one.at, 0);
});

test("the player takes half the time at twice the speed", () => {
  const frames = [1, 2].map((speed) => {
    const one = player("worst");
    one.speed = speed;
    one.play();
    return run(one);
  });
  assert.ok(Math.abs(frames[0]! / frames[1]! - 2) < 0.05, frames.join(" "));
});

test("a step ends just after the next moment, with its tokens in transit", () => {
  const one = player("worst");
  for (const moment of [10, 20, 30]) {
    one.step();
    run(one);
    assert.equal(one.playing, false);
    assert.ok(one.at > moment && one.at < moment + 5, String(one.at));
    assert.ok(frameAt(sample("worst"), one.at).tokens.length > 0);
  }
  one.back();
  assert.ok(one.at > 20 && one.at < 25, String(one.at));
  for (let i = 0; i < 5; i++) one.back();
  assert.equal(one.at, 0);
});

test("two calls of step advance by two moments", () => {
  const one = player("worst");
  one.step();
  one.step();
  run(one);
  assert.ok(one.at > 20 && one.at < 25, String(one.at));
});

test("time is faster without messages in transit, but skips no event", () => {
  const one = player("lost");
  one.seek(32);
  one.play();
  const seen: number[] = [];
  let frames = 0;
  for (; one.at < 80; frames++) {
    one.pass(16);
    seen.push(one.at);
  }
  assert.ok(seen.includes(80), "the player stops at the next moment");
  const eager = player("worst");
  eager.seek(0);
  eager.play();
  let others = 0;
  for (; eager.at < 48; others++) eager.pass(16);
  assert.ok(frames < others / 2, `${frames} frames for 48 ms without messages, ${others} with messages`);
});

test("the player pauses at important moments", () => {
  const one = player("worst");
  one.seek(49);
  one.play();
  while (one.at < 50) one.pass(16);
  const at = one.at;
  for (let i = 0; i < 50; i++) one.pass(16);
  assert.equal(one.at, at);
});

test("with reduced motion, the player jumps from moment to moment", () => {
  const one = player("worst", false);
  one.play();
  const seen = new Set<number>();
  for (let i = 0; i < 5_000 && one.playing; i++) {
    one.pass(16);
    seen.add(one.at);
  }
  assert.ok(one.ended);
  assert.ok(seen.size <= new Story(sample("worst")).moments.length + 1, `${seen.size} frames`);
});
