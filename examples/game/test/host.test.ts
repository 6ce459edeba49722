import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import type { Leadership } from "@doyen/swarm";
import type { Game } from "../src/game.js";
import { Host } from "../src/host.js";

/** A worker whose beats the test sends. */
class FakeWorker {
  static latest: FakeWorker;
  onmessage = (): void => {};

  constructor() {
    FakeWorker.latest = this;
  }

  terminate(): void {}
}

/** A leadership whose saves fail on demand. */
class FakeLeadership {
  readonly checkpoint = null;
  readonly signal = new AbortController().signal;
  readonly saved: Game[] = [];
  isLeader = true;
  failures = 0;

  async save(game: Game): Promise<void> {
    if (this.failures > 0) {
      this.failures--;
      throw new Error("the hub did not answer");
    }
    this.saved.push(game);
  }
}

describe("the host", () => {
  const workers = globalThis as { Worker?: unknown };
  const worker = workers.Worker;
  let leadership: FakeLeadership;
  let errors: number;
  let now: number;

  beforeEach(() => {
    workers.Worker = FakeWorker;
    now = 0;
    mock.method(performance, "now", () => now);
    leadership = new FakeLeadership();
    errors = 0;
    new Host(
      leadership as unknown as Leadership,
      () => new Set(["ann"]),
      () => errors++,
    );
  });

  afterEach(() => {
    mock.restoreAll();
    workers.Worker = worker;
  });

  async function beat(): Promise<void> {
    now += 50;
    FakeWorker.latest.onmessage();
    await new Promise((resolve) => setImmediate(resolve));
  }

  it("reports_the_first_of_consecutive_failed_saves_and_continues_the_game", async () => {
    leadership.failures = 2;
    await beat();
    await beat();
    assert.deepEqual([errors, leadership.saved.length], [1, 0]);
    await beat();
    assert.deepEqual([errors, leadership.saved.length], [1, 1]);
    assert.equal(leadership.saved[0]!.tick, 9);
    leadership.failures = 1;
    await beat();
    assert.equal(errors, 2);
  });

  it("does_not_report_a_failed_save_of_an_ended_leadership", async () => {
    leadership.failures = 1;
    const save = leadership.save.bind(leadership);
    leadership.save = (game) => {
      leadership.isLeader = false;
      return save(game);
    };
    await beat();
    assert.deepEqual([errors, leadership.failures], [0, 0]);
  });
});
