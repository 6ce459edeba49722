import assert from "node:assert/strict";
import { test } from "node:test";
import { fromLink, query, USUAL } from "../src/settings.js";
import { figure, marks } from "../src/theory.js";

test("a query omits unused settings", () => {
  assert.equal(query(USUAL).toString(), "n=8&order=random&algorithm=chang-roberts&fault=none&seed=1");
  const crash = query({ ...USUAL, fault: "crash", who: 3, when: 2 });
  assert.equal(crash.get("who"), "3");
  assert.equal(crash.get("when"), "2");
  const list = query({ ...USUAL, order: "list", list: " 3, 1 2,4," });
  assert.equal(list.get("order"), "3,1,2,4");
  assert.equal(list.get("n"), null);
});

test("a link restores the chosen settings", () => {
  const chosen = {
    ...USUAL,
    n: 12,
    order: "worst",
    algorithm: "peterson",
    fault: "lost",
    who: 12,
    when: 5,
    seed: 9,
  } as const;
  assert.deepEqual(fromLink(`#${query(chosen).toString()}`), chosen);
  const own = { ...USUAL, n: 3, order: "list", list: "3,1,2", who: 3, when: 1 } as const;
  assert.deepEqual(fromLink(`#${query(own).toString()}`), own);
});

test("a link without valid settings yields the defaults", () => {
  assert.deepEqual(fromLink(""), USUAL);
  assert.deepEqual(fromLink("#n=x&order=sorted&algorithm=bully&fault=flood&seed=-1"), USUAL);
});

test("the theory has the known values for eight members", () => {
  const formulas = (algorithm: "chang-roberts" | "peterson") =>
    marks(algorithm, 8).map(({ formula, value }) => `${formula} = ${figure(value)}`);
  assert.deepEqual(formulas("chang-roberts"), ["2n−1 = 15", "n·H(n) = 21.7", "n lg n = 24", "n(n+1)/2 = 36"]);
  assert.deepEqual(formulas("peterson"), ["n·H(n) = 21.7", "n lg n = 24", "3n = 24", "2n⌊lg n⌋+n = 56"]);
  assert.deepEqual(marks("chang-roberts", 1), []);
});
