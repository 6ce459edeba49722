import assert from "node:assert/strict";
import { ReadableStream as NodeStream } from "node:stream/web";
import { test } from "node:test";
import { events } from "../src/feed.js";

test("each event is complete, wherever the stream is split", async () => {
  for (const size of [1, 2, 7, 1000]) {
    const text = ': beat\n\ndata: {"a":1}\n\nevent: x\ndata: one\ndata: two\n\ndata: unfinished';
    const received: string[] = [];
    const stream = NodeStream.from(pieces(text, size)) as unknown as ReadableStream<string>;
    await events(stream, (data) => received.push(data));
    assert.deepEqual(received, ['{"a":1}', "one\ntwo"]);
  }
});

function* pieces(text: string, size: number): Generator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}
