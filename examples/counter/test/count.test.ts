import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Count } from "../src/count.js";

describe("the count", () => {
  it("starts_at_one_and_continues_from_the_last_number", () => {
    const count = new Count();
    assert.deepEqual(count.next(1), { term: 1, n: 1 });
    count.take({ term: 4, n: 41 });
    assert.deepEqual(count.next(5), { term: 5, n: 42 });
  });

  it("counts_a_break_only_for_a_gap_or_a_repeat", () => {
    const count = new Count();
    for (const tick of [7, 8]) count.take({ term: 1, n: tick });
    count.take({ term: 2, n: 9 });
    assert.equal(count.breaks, 0);
    count.take({ term: 2, n: 9 });
    count.take({ term: 2, n: 11 });
    assert.equal(count.breaks, 2);
  });

  it("ignores_ticks_of_an_ended_term_and_other_data", () => {
    const count = new Count();
    count.take({ term: 3, n: 10 });
    assert.equal(count.take({ term: 2, n: 11 }), false);
    for (const data of [null, "leader", 7, {}, { term: "3", n: 11 }]) assert.equal(count.take(data), false);
    assert.equal(count.value, 10);
  });
});
