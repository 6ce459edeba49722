import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import type { Leadership } from "@doyen/swarm";
import { Count } from "../src/count.js";
import { lead } from "../src/lead.js";

const TICK_MILLIS = 500;

/** A leadership whose publishes fail on demand. Its page receives each published number at once. */
class FakeLeadership {
  readonly term = 1;
  readonly end = new AbortController();
  readonly count = new Count();
  failures = 0;

  get signal(): AbortSignal {
    return this.end.signal;
  }

  async publish(_name: string, tick: unknown): Promise<void> {
    if (this.failures > 0) {
      this.failures--;
      throw new Error("the hub did not answer");
    }
    this.count.take(tick);
  }
}

describe("the leader of the count", () => {
  let leadership: FakeLeadership;
  let errors: number;

  beforeEach(() => {
    mock.timers.enable({ apis: ["setTimeout"] });
    leadership = new FakeLeadership();
    errors = 0;
  });

  afterEach(() => {
    leadership.end.abort();
    mock.timers.reset();
  });

  function begin(): void {
    void lead(leadership as unknown as Leadership, leadership.count, TICK_MILLIS, () => errors++);
  }

  async function passes(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    mock.timers.tick(TICK_MILLIS);
    await new Promise((resolve) => setImmediate(resolve));
  }

  it("reports_a_failed_publish_and_continues", async () => {
    leadership.failures = 1;
    begin();
    await passes();
    assert.deepEqual([errors, leadership.count.value], [1, 1]);
    await passes();
    assert.equal(leadership.count.value, 2);
  });

  it("does_not_report_a_failed_publish_of_an_ended_leadership", async () => {
    leadership.failures = 1;
    begin();
    leadership.end.abort();
    await passes();
    assert.deepEqual([errors, leadership.count.value], [0, null]);
  });
});
