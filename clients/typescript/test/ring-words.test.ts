import assert from "node:assert/strict";
import type { InboundMessage, PresenceMessage } from "ably";
import { it } from "node:test";
import { announcement, letterTo, presenceData, readEntry, readLetter, type Letter } from "../src/ring-words.js";

/** The same as in ChannelWordsTest of Java. */
const ANN = { id: "ann", incarnation: "i1" };
const BOB = { id: "bob", incarnation: "i2" };
const VIEW = { number: 7, creator: "cafe" };

const read = (data: unknown, name = "doyen.member", clientId: string | undefined = "ann"): Letter | null =>
  readLetter({ name, clientId, data } as InboundMessage);

it("a_letter_and_an_announcement_are_written_so_and_read_back", () => {
  const letter = letterTo(BOB, ANN, VIEW, "ring/orders", Uint8Array.of(1, 255));
  assert.deepEqual(letter, { v: 1, from: "i1", view: [7, "cafe"], to: "i2", topic: "ring/orders", m: "Af8=" });
  const said = { from: ANN, view: VIEW, silent: [], at: null };
  assert.deepEqual(read(letter), { ...said, to: "i2", topic: "ring/orders", bytes: Uint8Array.of(1, 255) });
  const told = announcement(ANN, VIEW, ["i3"], 1234.9);
  assert.deepEqual(told, { v: 1, from: "i1", view: [7, "cafe"], at: 1234, silent: ["i3"] });
  assert.deepEqual(read(told)?.silent, ["i3"]);
  assert.equal(read(told)?.at, 1234);
});

it("what_is_no_letter_is_read_as_nothing", () => {
  const to = { v: 1, from: "i1", to: "i2", topic: "t", m: "" };
  const wrong = [7, [], null, {}, { v: 2, from: "i1" }, { v: 1 }, { v: 1, from: "" }, { v: 1, from: 7 }];
  const letters = [
    { ...to, to: 7 },
    { ...to, topic: 7 },
    { ...to, m: 7 },
    { ...to, m: "!" },
    { v: 1, from: "i\0" },
  ];
  for (const data of [...wrong, ...letters]) assert.equal(read(data), null, JSON.stringify(data));
  assert.equal(read({ v: 1, from: "i1" }, "other"), null);
  assert.equal(readLetter({ name: "doyen.member", data: { v: 1, from: "i1" } } as InboundMessage), null);
  assert.notEqual(read({ v: 1, from: "i1" }), null);
});

it("a_view_that_cannot_be_is_none", () => {
  for (const view of [7, [], [1], [1, 2], ["1", "x", 3], [0, "x"], [1.5e300, "x"], [1.5, "x"], [{}, "x"], [1, ""]]) {
    assert.equal(read({ v: 1, from: "i1", view })?.view, null, JSON.stringify(view));
  }
});

it("a_time_that_cannot_be_is_none", () => {
  for (const at of ["7", -1, {}, [], null]) assert.equal(read({ v: 1, from: "i1", at })?.at, null, JSON.stringify(at));
  assert.equal(read({ v: 1, from: "i1", at: 0 })?.at, 0);
});

it("an_entry_without_our_data_is_no_member", () => {
  const entry = (data: unknown) =>
    readEntry({ clientId: "ann", connectionId: "c1", timestamp: 5, data } as PresenceMessage);
  assert.deepEqual(entry(presenceData(ANN)), { key: "c1:ann", member: ANN, since: 5 });
  for (const data of ["leader", {}, { doyen: "member" }, { incarnation: "i1" }, null]) {
    assert.equal(entry(data).member, null);
  }
});
