import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Clock } from "../src/clock.js";
import { RingLoop } from "../src/ring-loop.js";
import { ringSettings } from "../src/ring-options.js";
import { memberOf } from "../src/ring-people.js";
import { ManualTime } from "./fake/time.js";

describe("the loop of a ring", () => {
  it("looks_at_the_time_again_after_a_machine_has_thrown_and_takes_what_comes_next", async () => {
    const time = new ManualTime();
    let failing = true;
    let rested = 0;
    const errors: unknown[] = [];
    const clock: Clock = {
      monotonicMillis: () => {
        if (!failing) return time.monotonicMillis();
        failing = false;
        throw new Error("on purpose");
      },
      wallMillis: () => time.wallMillis(),
      after: (millis, callback) => time.after(millis, callback),
    };
    const loop = new RingLoop(ringSettings({}), memberOf("ann"), clock, {
      effect: () => {},
      say: () => {},
      failed: (error) => errors.push(error),
      rested: () => {
        rested++;
        if (rested === 2) throw new Error("on purpose");
      },
    });
    loop.count({ type: "connected" });
    assert.deepEqual([errors.length, rested], [1, 1]);
    await time.advance(1000);
    assert.deepEqual([errors.length, rested], [2, 2]);
    loop.count({ type: "syncStarted" });
    assert.deepEqual([errors.length, rested], [2, 3]);
  });
});
