import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { EventStreamParser, MAX_LINE, type StreamEvent } from "../src/event-stream.js";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("the parser of event streams", () => {
  test("returns the same events wherever the stream is split, with each kind of line end", () => {
    const text =
      '\uFEFFretry: 2000\r\nid: x-1\r\nevent: leader\r\ndata: {"name":"grün"}\r\n\n:\r\n' +
      "data:one\ndata: two\n\nid\rdata:  3\r\r: a comment\nevent: gone\n\nunknown: 1\ndata\n\ndata: cut off";
    const expected: StreamEvent[] = [
      { type: "leader", data: '{"name":"grün"}', id: "x-1" },
      { type: "message", data: "one\ntwo", id: "x-1" },
      { type: "message", data: " 3", id: "" },
      { type: "message", data: "", id: "" },
    ];
    const whole = bytes(text);
    for (let first = 0; first <= whole.length; first++) {
      for (let second = first; second <= whole.length; second++) {
        const parser = new EventStreamParser();
        const pieces = [whole.subarray(0, first), whole.subarray(first, second), whole.subarray(second)];
        const events = pieces.flatMap((piece) => parser.feed(piece));
        assert.deepEqual(events, expected, `cut at ${first} and ${second}`);
        assert.deepEqual([parser.retryMillis, parser.comments], [2000, 2]);
      }
    }
  });

  test("keeps the id of the previous connection, and ignores an id with a NUL and an invalid retry", () => {
    const parser = new EventStreamParser("x-7");
    const events = parser.feed(bytes("retry: soon\nretry:\nretry: 1e3\nid: a\0b\ndata: 1\n\n"));
    assert.deepEqual(events, [{ type: "message", data: "1", id: "x-7" }]);
    assert.equal(parser.retryMillis, undefined);
  });

  test("rejects a line or an event that is too long or never ends", () => {
    const longest = "x".repeat(MAX_LINE - 6);
    assert.equal(new EventStreamParser().feed(bytes(`data: ${longest}\n\n`)).length, 1);
    assert.throws(() => new EventStreamParser().feed(bytes(`data: ${longest}x\n\n`)), RangeError);
    const endless = new EventStreamParser();
    endless.feed(bytes(`:${longest}`));
    assert.throws(() => endless.feed(bytes("xxxxxxxxx")), RangeError);
    const many = new EventStreamParser();
    assert.throws(() => many.feed(bytes("data: 1234567\n".repeat(MAX_LINE / 8 + 1))), /an event of the stream/);
  });
});
