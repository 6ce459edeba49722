import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { MalformedMessageError, readMessage, writeMessage, type RingMessage } from "../src/ring-message.js";
import type { RingMember } from "../src/ring-view.js";
import {
  initialRing,
  ringLeader,
  ringRemainingMillis,
  ringStands,
  type RingInput,
  type RingSettings,
} from "../src/ring-state.js";
import { stepRing } from "../src/ring.js";

interface Vector {
  name: string;
  me: RingMember;
  settings: RingSettings;
  /** Each with what the machine in Java said, which writes these files (RingVectorsTest in core). */
  steps: { at: number; wall?: number; input: RingInput; effects: unknown; state: unknown; wakeAt: number | null }[];
}

interface Wire {
  messages: { message: RingMessage; hex: string }[];
  refused: { why: string; hex: string }[];
}

const VECTORS = join(dirname(fileURLToPath(import.meta.url)), "../../../../docs/spec/vectors");
const FILES = readdirSync(join(VECTORS, "ring")).filter((file) => file.endsWith(".json"));

describe("the ring vectors of docs/spec", () => {
  it("are_all_there", () => assert.ok(FILES.length >= 53, `only ${FILES.length} vectors`));

  for (const file of FILES) {
    const vector = JSON.parse(readFileSync(join(VECTORS, "ring", file), "utf8")) as Vector;
    it(`${file}: ${vector.name}`, () => play(vector));
  }

  const wire = JSON.parse(readFileSync(join(VECTORS, "ring-wire.json"), "utf8")) as Wire;
  it("messages_have_the_bytes_that_java_writes", () => {
    for (const { message, hex } of wire.messages) {
      assert.equal(Buffer.from(writeMessage(message)).toString("hex"), hex);
      assert.deepEqual(readMessage(Buffer.from(hex, "hex")), message);
    }
  });
  it("bytes_that_are_no_message_are_refused_with_a_sentence", () => {
    for (const { why, hex } of wire.refused) {
      const refused = (error: unknown) => error instanceof MalformedMessageError && error.message.includes(why);
      assert.throws(() => readMessage(Buffer.from(hex, "hex")), refused, why);
    }
  });
});

function play({ me, settings, steps }: Vector): void {
  let state = initialRing(settings, me);
  steps.forEach(({ at, wall, input, ...expected }, i) => {
    const moment = { now: at, wall: wall ?? at };
    const next = stepRing(state, moment, input);
    state = next.state;
    const said = {
      effects: next.effects,
      state: {
        leading: state.reign?.term ?? null,
        remainingMillis: ringRemainingMillis(state, moment),
        leader: ringLeader(state),
        seen: state.seen,
        round: state.ballot?.round ?? 0,
        stands: ringStands(state, at),
      },
      wakeAt: next.wakeAt,
    };
    assert.deepEqual(said, expected, `step ${i + 1}`);
  });
}
