import assert from "node:assert/strict";
import { test } from "node:test";
import { displayName, idsByName, withNames } from "../src/names.js";
import { inPlainWords } from "../src/words.js";

const BEAR = "amber-bear-0123456789abcdef";
const OTHER_BEAR = "amber-bear-fedcba9876543210";

test("a text shows the names of the demo's pages, and every other id unchanged", () => {
  assert.equal(withNames(`"${BEAR}" (term 3) has stepped down`), '"amber bear" (term 3) has stepped down');
  assert.equal(withNames('"web-7f-0123" leads'), '"web-7f-0123" leads');
  assert.equal(displayName("orders-1"), "orders-1");
});

test("a name that two members share is not used for them", () => {
  assert.deepEqual(
    [...idsByName([BEAR, "ann"])],
    [
      ["amber bear", BEAR],
      ["ann", "ann"],
    ],
  );
  assert.deepEqual([...idsByName([BEAR, OTHER_BEAR]).keys()], [BEAR, OTHER_BEAR]);
});

test("a rejection is explained in sentences", () => {
  assert.equal(
    inPlainWords(`fence 2 < 3: "${BEAR}" leads "counter" in term 3`),
    "Its write carried term 2. The channel had already seen term 3, so the hub rejected it.",
  );
  assert.equal(
    inPlainWords('fence 99 > 3: "ann" leads "counter" in term 3'),
    "Its write carried term 99. The channel has only reached term 3, so the hub rejected it.",
  );
  assert.equal(
    inPlainWords('fence 2: nobody leads "counter" now; the last term was 2'),
    'Its write carried term 2, but nobody leads "counter" now; the last term was 2.',
  );
  assert.equal(inPlainWords("the key is unknown"), "The key is unknown.");
});
