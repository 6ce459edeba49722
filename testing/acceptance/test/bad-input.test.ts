import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { Program, endOf, KEY } from "../src/program.js";
import { ACTION, RawClient, type Frame } from "../src/raw.js";
import { Bystander } from "../src/bystander.js";

/** The demo's own channel, which is fenced. */
const FENCED = "counter";
const ROOM = Bystander.ROOM;
const TERM = "doyen-term";

describe("the hub with bad input from one client", () => {
  let program: Program;
  let bystander: Bystander;
  let raw: RawClient | null = null;
  before(async () => {
    program = await Program.start();
    bystander = await Bystander.open(program.hub);
  });
  after(async () => {
    try {
      bystander.close();
    } finally {
      // If no bystander was opened, the hub must end anyway. Otherwise the test process would never end.
      await program[Symbol.asyncDispose]();
    }
  });
  afterEach(async () => {
    raw?.close();
    raw = null;
    await bystander.assertUndisturbed();
  });

  const connect = async (format: "json" | "msgpack" = "json"): Promise<RawClient> =>
    (raw = await RawClient.connect(program.hub, "mallory", format));

  /**
   * Checks that the hub sends an ERROR frame without a channel, and then closes the socket. SDKs treat the close code
   * as final.
   */
  const endsWith = async (client: RawClient, code: number, sentence: RegExp): Promise<void> => {
    const frame = await client.next();
    assert.equal(frame.action, ACTION.error, JSON.stringify(frame));
    assert.ok(!("channel" in frame), "an error of the connection names no channel");
    assertError(frame, code, sentence);
    assert.equal(await client.closed, 1000);
  };

  /** Checks that the hub rejects one frame and keeps the connection. */
  const isRefused = async (client: RawClient, code: number, sentence: RegExp): Promise<void> => {
    const frame = await client.next();
    assert.equal(frame.action, ACTION.nack, JSON.stringify(frame));
    assert.equal(frame.msgSerial, 0);
    assertError(frame, code, sentence);
    await assertLives(client);
  };

  const assertError = (frame: Frame, code: number, sentence: RegExp): void => {
    assert.equal(frame.error?.code, code, JSON.stringify(frame));
    const status: Record<number, number> = { 40101: 401, 40400: 404, 40911: 409 };
    assert.equal(frame.error.statusCode, status[code] ?? 400);
    assert.match(frame.error.message, sentence);
    assert.ok(!JSON.stringify(frame).includes(KEY.split(":")[1] as string), "no secret in an error");
  };

  const assertLives = async (client: RawClient): Promise<void> => {
    client.send({ action: ACTION.heartbeat, id: "still there" });
    assert.deepEqual(await client.next(), { action: ACTION.heartbeat, id: "still there" });
  };

  const message = (channel: unknown, ...messages: unknown[]) => ({ action: 15, msgSerial: 0, channel, messages });
  const presence = (channel: unknown, data: object) => ({
    action: ACTION.presence,
    msgSerial: 0,
    channel,
    presence: [{ action: 2, data: JSON.stringify(data), encoding: "json" }],
  });

  const GARBLED: readonly (readonly [what: string, sent: object | string | Buffer, sentence: RegExp])[] = [
    ["an empty frame", "", /empty/],
    ["half an object", '{"action":15,"channel":"roo', /not JSON/],
    ["text that is not JSON", "hello, hub", /not JSON/],
    ["bytes that are not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), /not UTF-8/],
    ["unclosed brackets", "[".repeat(100_000), /must be one object/],
    ["unclosed objects", '{"x":'.repeat(100_000), /not JSON/],
    ["text instead of a frame", '"a frame"', /must be one object; this is text/],
    ["a list of frames", '[{"action":0}]', /must be one object; this is a list/],
    ["two frames in one message", '{"action":0}{"action":0}', /one message per frame/],
    ["a frame without an action", { channel: ROOM }, /action is missing/],
    ["an unknown action", { action: 22 }, /action must be an integer from 0 to 21/],
    ["a negative action", { action: -1 }, /action must be an integer from 0 to 21/],
    ["an action that is text", { action: "15" }, /action/],
    ["an action that only the hub sends", { action: ACTION.connected }, /a client does not send CONNECTED/],
    ["a channel that is a number", { action: ACTION.attach, channel: 7 }, /channel/],
    ["a serial that is text", { ...message(ROOM, { name: "x" }), msgSerial: "0" }, /msgSerial/],
    ["a negative serial", { ...message(ROOM, { name: "x" }), msgSerial: -1 }, /msgSerial/],
    ["flags with a fraction", { action: ACTION.attach, channel: ROOM, flags: 1.5 }, /flags/],
    ["text instead of messages", { action: 15, msgSerial: 0, channel: ROOM, messages: "x" }, /messages/],
    ["text instead of a message", message(ROOM, { name: "x" }, "x"), /messages\[1\] must be an object/],
    ["data that is an object", message(ROOM, { name: "x", data: { n: 1 } }), /messages\[0\]\.data/],
    ["invalid base64", message(ROOM, { name: "x", data: "*", encoding: "base64" }), /not base64/],
    ["text instead of a member", { action: 14, msgSerial: 0, channel: ROOM, presence: ["leader"] }, /presence\[0\]/],
    [
      "a frame that exceeds the limit",
      message(ROOM, { name: "x", data: "x".repeat(512 * 1024) }),
      /longer than 524288 bytes/,
    ],
  ];

  for (const [what, sent, sentence] of GARBLED) {
    test(`answers ${what} with an error and closes the connection`, async () => {
      const client = await connect();
      client.send(sent);
      await endsWith(client, 40000, sentence);
    });
  }

  const UNPACKABLE: readonly (readonly [what: string, bytes: readonly number[]])[] = [
    ["a byte that msgpack never uses", [0xc1]],
    ["a map that announces two fields and has none", [0x82]],
    ["a text of four gigabytes", [0x81, 0xa6, ...Buffer.from("action"), 0xdb, 0xff, 0xff, 0xff, 0xff]],
    ["a list of four billion items", [0x81, 0xa8, ...Buffer.from("messages"), 0xdd, 0xff, 0xff, 0xff, 0xff]],
    ["unclosed lists", new Array<number>(100_000).fill(0x91)],
    ["text instead of a frame", [0xa5, ...Buffer.from("hello")]],
    ["an unknown action", [0x81, 0xa6, ...Buffer.from("action"), 99]],
    ["JSON", [...Buffer.from('{"action":0}')]],
  ];

  for (const [what, bytes] of UNPACKABLE) {
    test(`answers ${what} in msgpack with an error and closes the connection`, async () => {
      const client = await connect("msgpack");
      client.send(Buffer.from(bytes));
      const frame = await client.nextBytes();
      assert.ok(frame.includes(packed("action", [ACTION.error])), frame.toString("hex"));
      assert.ok(frame.includes(packed("code", [0xcd, 40000 >> 8, 40000 & 0xff])), frame.toString("hex"));
      assert.equal(await client.closed, 1000);
    });
  }

  const packed = (name: string, value: readonly number[]) =>
    Buffer.from([0xa0 | name.length, ...Buffer.from(name), ...value]);

  const KEYS: readonly (readonly [what: string, query: Record<string, string>, sentence: RegExp])[] = [
    ["no key", {}, /no credentials/],
    ["an unknown key", { key: "nobody.key:secret" }, /unknown, or its secret is wrong/],
    ["a wrong secret", { key: "acceptance.key:guessed" }, /unknown, or its secret is wrong/],
    ["a malformed key", { key: "::" }, /unknown, or its secret is wrong/],
  ];

  for (const [what, query, sentence] of KEYS) {
    test(`opens a connection with ${what} and then rejects it with an error`, async () => {
      raw = await RawClient.open(program.hub, { ...query, clientId: "mallory", format: "json" });
      await endsWith(raw, 40101, sentence);
    });
  }

  test("opens a connection with a token of another issuer and then rejects it with an error", async () => {
    const part = (json: object) => Buffer.from(JSON.stringify(json)).toString("base64url");
    const token = [part({ alg: "HS256", kid: "another.key" }), part({ exp: 4102444800 }), part({})].join(".");
    raw = await RawClient.open(program.hub, { access_token: token, clientId: "mallory", format: "json" });
    await endsWith(raw, 40400, /another\.key/);
  });

  test("opens a connection with a token that is not a JWT and then rejects it with an error", async () => {
    raw = await RawClient.open(program.hub, { access_token: "token", clientId: "mallory", format: "json" });
    await endsWith(raw, 40101, /the token is not a JWT/);
  });

  const CHANNELS: readonly (readonly [name: string, sentence: RegExp])[] = [
    ["", /empty/],
    [":orders", /must not start with ':'/],
    [",orders", /must not start with ','/],
    [" orders", /must not start with ' '/],
    ["or\nders", /line break or control character at position 2/],
    ["[orders", /no closing bracket/],
    ["[meta]orders", /not known/],
    ["[?rewind=1]", /empty after its qualifier/],
    ["x".repeat(100_000), /at most [0-9]+ are allowed/],
  ];

  for (const [name, sentence] of CHANNELS) {
    test(`rejects the channel name ${JSON.stringify(name.slice(0, 20))} and all frames for this channel`, async () => {
      const client = await connect();
      client.send({ action: ACTION.attach, channel: name });
      const failed = await client.next();
      assert.equal(failed.action, ACTION.error);
      assert.equal(failed.channel, name);
      assertError(failed, 40010, sentence);
      client.send(message(name, { name: "x" }));
      await isRefused(client, 40010, sentence);
      client.send({ ...presence(name, {}), msgSerial: 1 });
      const refused = await client.next();
      assert.equal(refused.action, ACTION.nack);
      assertError(refused, 40010, sentence);
      await assertLives(client);
    });
  }

  const REFUSED: readonly (readonly [what: string, code: number, sent: object, sentence: RegExp])[] = [
    [
      "a claim with a ttl that is too short",
      40003,
      presence(ROOM, { role: "L", ttl: 999 }),
      /ttl is "?999"?; .* from 1000 to 5000/,
    ],
    ["a claim with a ttl that is too long", 40003, presence(ROOM, { role: "L", ttl: 5001 }), /ttl is "?5001"?; /],
    ["a claim with a fractional ttl", 40003, presence(ROOM, { role: "L", ttl: 2000.5 }), /whole milliseconds/],
    ["a claim with a ttl that is text", 40003, presence(ROOM, { role: "L", ttl: "2000" }), /whole milliseconds/],
    ["a claim with a ttl that is null", 40003, presence(ROOM, { role: "L", ttl: null }), /whole milliseconds/],
    ["a fence that is text", 40911, message(ROOM, fenced("seven")), /is not an integer/],
    ["a fractional fence", 40911, message(ROOM, fenced(1.5)), /is not an integer/],
    ["a fence that is a boolean", 40911, message(ROOM, fenced(true)), /is not an integer/],
    ["a fence that is an object", 40911, message(ROOM, fenced({ term: 1 })), /is not an integer/],
    ["a fence while nobody leads", 40911, message(ROOM, fenced(7)), /fence 7: nobody leads "room" now/],
    ["an invalid fence after a valid message", 40911, message(ROOM, { name: "x" }, fenced("x")), /is not an integer/],
    ["a message without a fence on a fenced channel", 40911, message(FENCED, { name: "count" }), /"counter" is fenced/],
    [
      "headers that are text",
      40000,
      message(ROOM, { name: "x", extras: { headers: "x" } }),
      /extras\.headers must be an object/,
    ],
    ["a frame without messages", 40000, message(ROOM), /there are no messages/],
    [
      "a message that is too large",
      40009,
      message(ROOM, { name: "x", data: "x".repeat(65_536) }),
      /at most 65536 are allowed/,
    ],
    ["the client id of another client", 40012, message(ROOM, { name: "x", clientId: "bystander" }), /bystander/],
    [
      "a frame of an unsupported feature",
      40000,
      { action: ACTION.object, msgSerial: 0, channel: ROOM },
      /has no OBJECT/,
    ],
  ];

  for (const [what, code, sent, sentence] of REFUSED) {
    test(`rejects ${what} with ${code} and keeps the connection open`, async () => {
      const client = await connect();
      client.send(sent);
      await isRefused(client, code, sentence);
    });
  }

  function fenced(term: unknown): object {
    return { name: "x", extras: { headers: { [TERM]: term } } };
  }
});

describe("a start with invalid options", () => {
  let data: string;
  before(() => (data = mkdtempSync(join(tmpdir(), "doyen-bad-start-"))));
  after(() => rmSync(data, { recursive: true, force: true }));

  /**
   * Checks that the program ends with this exit code. The program must print one line on stderr, without a stack trace,
   * and nothing on stdout.
   */
  const assertEnds = async (
    code: number,
    sentence: RegExp,
    flags: readonly string[],
    key?: string,
  ): Promise<string> => {
    const ended = await endOf(flags, key);
    assert.match(ended.stderr, sentence);
    assert.match(ended.stderr, /^doyen: [^\n]+\n$/, "stderr has one line");
    assert.doesNotMatch(ended.stderr, /\tat |Exception/);
    assert.equal(ended.stdout, "");
    assert.equal(ended.code, code);
    return ended.stderr;
  };

  test("reports a port in use with its option", async () => {
    await using program = await Program.start();
    const { port } = program.hub;
    for (const flag of ["--port", "--elector-port", "--probe-port"]) {
      const flags = [flag, port, "--data", data];
      const message = new RegExp(`Port ${port} on 127\\.0\\.0\\.1 .* choose another with ${flag} PORT`);
      await assertEnds(1, message, flags, KEY);
    }
    const answer = await fetch(program.hub);
    assert.equal(answer.status, 200, "the program that uses the port continues");
  });

  test("reports a data directory that cannot be created", async () => {
    const file = join(data, "file");
    writeFileSync(file, "");
    await assertEnds(
      1,
      /The data directory .*below cannot be written .* with --data DIR/,
      ["--data", join(file, "below")],
      KEY,
    );
    await assertEnds(1, /The data directory .*file is a file; .* with --data DIR/, ["--data", file], KEY);
  });

  test("rejects a malformed DOYEN_KEY and does not print it", async () => {
    const output = await assertEnds(1, /DOYEN_KEY cannot be used: .*appId\.keyId:secret/, ["--data", data], "hunter2");
    assert.doesNotMatch(output, /hunter2/);
  });

  test("opens the demo to other machines only with a configured key", async () => {
    await assertEnds(2, /--bind 0\.0\.0\.0 opens the demo to other machines; set DOYEN_KEY/, [
      "--bind",
      "0.0.0.0",
      "--data",
      data,
    ]);
  });

  test("rejects a claim ttl of one millisecond and prints the bounds", async () => {
    await assertEnds(2, /--claim-ttl 1ms must be from 1000ms to 60000ms/, ["--claim-ttl", "1ms", "--data", data], KEY);
  });
});
