/**
 * What members of a ring say to each other, and what it looks like on the wire: byte for byte what `RingWire` of
 * doyen-core writes. What arrives is checked as if a stranger had sent it.
 *
 * Source: docs/spec/ring.md, "On the wire". Numbers above 2^53 - 1, which Java would read, are refused here: this
 * language cannot count there, and nothing that counts honestly gets there.
 */
import { compareMembers, type RingMember, type ViewId } from "./ring-view.js";

/** The number of one leadership; its creator is its leader. Null is before all terms. */
export interface RingTerm {
  readonly counter: number;
  readonly creator: RingMember;
}

/** What a member is worth in one round; the greatest wins (R4). */
export interface Key {
  readonly stands: boolean;
  readonly incumbent: RingTerm | null;
  readonly priority: number;
  readonly joined: number;
  readonly member: RingMember;
}

interface OfRound {
  readonly view: ViewId;
  readonly round: number;
}

export interface Elect extends OfRound {
  readonly kind: "elect";
  readonly key: Key;
  readonly attempt: number;
  readonly seen: RingTerm | null;
}

/** Of Peterson's: a key on its way to the next member that is still in the contest. */
export interface Compare extends OfRound {
  readonly kind: "compare";
  /** From 1. */
  readonly phase: number;
  /** The second of a phase's two messages, which hands on what the first said. */
  readonly second: boolean;
  readonly key: Key;
  readonly seen: RingTerm | null;
}

/** Of Peterson's: on its way to the member that has won, from the one that found out. */
export interface Chosen extends OfRound {
  readonly kind: "chosen";
  readonly winner: RingMember;
  readonly seen: RingTerm | null;
}

export interface Lap extends OfRound {
  readonly kind: "elected" | "beat";
  readonly term: RingTerm;
  readonly sequence: number;
}

export interface Nack {
  readonly kind: "nack";
  readonly view: ViewId;
  readonly term: RingTerm | null;
}

/** The leader of a term has stopped; to its heir, if it named one (H1). */
export interface Yield extends OfRound {
  readonly kind: "yield";
  readonly term: RingTerm;
  readonly heir: boolean;
}

export type RoundMessage = Elect | Compare | Chosen | Lap;
export type RingMessage = RoundMessage | Nack | Yield;

export function compareTerms(one: RingTerm | null, other: RingTerm | null): number {
  if (one === null || other === null) return Number(one !== null) - Number(other !== null);
  return one.counter - other.counter || compareMembers(one.creator, other.creator);
}

export function laterTerm(one: RingTerm | null, other: RingTerm | null): RingTerm | null {
  return compareTerms(one, other) >= 0 ? one : other;
}

/** Positive if the first key beats the second. */
export function compareRingKeys(one: Key, other: Key): number {
  return (
    Number(one.stands) - Number(other.stands) ||
    compareTerms(one.incumbent, other.incumbent) ||
    one.priority - other.priority ||
    other.joined - one.joined ||
    compareMembers(other.member, one.member)
  );
}

const VERSION = 1;
const MAX_BYTES = 8 * 1024;
const MAX_PRIORITY = 100;
const MAX_NAME = 255;
const KINDS = ["elect", "compare", "chosen", "elected", "beat", "nack", "yield"] as const;

/** Bytes that are no message of the ring; its message is a sentence about them. */
export class MalformedMessageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "MalformedMessageError";
  }
}

export function writeMessage(message: RingMessage): Uint8Array {
  const out = new Writer();
  out
    .byte(VERSION)
    .byte(KINDS.indexOf(message.kind) + 1)
    .view(message.view);
  if (message.kind === "nack") return out.term(message.term).bytes();
  out.long(message.round);
  switch (message.kind) {
    case "elect":
      return out.key(message.key).int(message.attempt).term(message.seen).bytes();
    case "compare":
      return out.int(message.phase).byte(Number(message.second)).key(message.key).term(message.seen).bytes();
    case "chosen":
      return out.member(message.winner).term(message.seen).bytes();
    case "yield":
      return out.term(message.term).byte(Number(message.heir)).bytes();
    default:
      return out.term(message.term).long(message.sequence).bytes();
  }
}

/** Reads a message; throws MalformedMessageError if it is not one. */
export function readMessage(bytes: Uint8Array): RingMessage {
  if (bytes.length > MAX_BYTES) throw new MalformedMessageError(`it has ${bytes.length} bytes; at most ${MAX_BYTES}`);
  const reader = new Reader(bytes);
  const version = reader.byte();
  if (version !== VERSION) {
    throw new MalformedMessageError(
      `it is of version ${version}; this program speaks ${VERSION}: run the same version everywhere`,
    );
  }
  const message = fields(reader);
  reader.end();
  return message;
}

function fields(reader: Reader): RingMessage {
  const number = reader.byte();
  const view = reader.view();
  const kind = KINDS[number - 1];
  if (kind === "nack") return { kind, view, term: reader.term() };
  const round = reader.count("round", 0);
  switch (kind) {
    case "elect":
      return { kind, view, round, key: reader.key(), attempt: reader.int("attempt"), seen: reader.term() };
    case "compare":
      return {
        kind,
        view,
        round,
        phase: reader.int("phase"),
        second: reader.flag(),
        key: reader.key(),
        seen: reader.term(),
      };
    case "chosen":
      return { kind, view, round, winner: reader.member(), seen: reader.term() };
    case "elected":
    case "beat":
      return { kind, view, round, term: leaderTerm(reader), sequence: reader.count("sequence", 1) };
    case "yield":
      return { kind, view, round, term: leaderTerm(reader), heir: reader.flag() };
    default:
      throw new MalformedMessageError(`its kind is ${number}; the kinds are 1 to 7`);
  }
}

function leaderTerm(reader: Reader): RingTerm {
  const term = reader.term();
  if (term === null) throw new MalformedMessageError("what only a leader says has no term");
  return term;
}

/** Writes the fields, big-endian. */
class Writer {
  private readonly out: number[] = [];

  byte(value: number): this {
    this.out.push(value & 0xff);
    return this;
  }

  int(value: number): this {
    return this.byte(value >>> 24)
      .byte(value >>> 16)
      .byte(value >>> 8)
      .byte(value);
  }

  long(value: number): this {
    return this.int(Math.floor(value / 2 ** 32)).int(value % 2 ** 32);
  }

  text(value: string): this {
    const utf8 = new TextEncoder().encode(value);
    this.byte(utf8.length >>> 8).byte(utf8.length);
    for (const byte of utf8) this.out.push(byte);
    return this;
  }

  view(id: ViewId): this {
    return this.long(id.number).text(id.creator);
  }

  member(member: RingMember): this {
    return this.text(member.id).text(member.incarnation);
  }

  term(term: RingTerm | null): this {
    return term === null ? this.long(0) : this.long(term.counter).member(term.creator);
  }

  key(key: Key): this {
    this.byte(Number(key.stands)).term(key.incumbent).byte(key.priority).long(key.joined);
    return this.member(key.member);
  }

  bytes(): Uint8Array {
    if (this.out.length > MAX_BYTES) throw new RangeError(`a message of the ring has more than ${MAX_BYTES} bytes`);
    return Uint8Array.from(this.out);
  }
}

/** Takes one field after the other. */
class Reader {
  private readonly data: DataView;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  end(): void {
    const left = this.data.byteLength - this.at;
    if (left > 0) throw new MalformedMessageError(`${left} bytes follow its end`);
  }

  byte(): number {
    return this.data.getUint8(this.take(1));
  }

  flag(): boolean {
    const flag = this.byte();
    if (flag > 1) throw new MalformedMessageError(`a yes or no is ${flag}; it is 0 or 1`);
    return flag === 1;
  }

  int(what: string): number {
    const value = this.data.getInt32(this.take(4));
    if (value < 1) throw new MalformedMessageError(`its ${what} is ${value}; it is counted from 1`);
    return value;
  }

  count(what: string, least: number): number {
    const value = this.data.getBigInt64(this.take(8));
    if (value < least || value > Number.MAX_SAFE_INTEGER) {
      throw new MalformedMessageError(
        `its ${what} is ${value}; its bounds are ${least} and ${Number.MAX_SAFE_INTEGER}`,
      );
    }
    return Number(value);
  }

  text(): string {
    const length = this.data.getUint16(this.take(2));
    const start = this.data.byteOffset + this.take(length);
    try {
      // Bytes that look like a mark of the byte order are letters here.
      const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
      return utf8.decode(new Uint8Array(this.data.buffer as ArrayBuffer, start, length));
    } catch {
      throw new MalformedMessageError("a text in it is not UTF-8");
    }
  }

  view(): ViewId {
    const number = this.count("view", 0);
    return { number, creator: name("view creator", this.text()) };
  }

  member(): RingMember {
    const id = name("member id", this.text());
    return { id, incarnation: name("incarnation", this.text()) };
  }

  term(): RingTerm | null {
    const counter = this.count("term", 0);
    return counter === 0 ? null : { counter, creator: this.member() };
  }

  key(): Key {
    const stands = this.flag();
    const incumbent = this.term();
    const priority = this.byte();
    if (priority > MAX_PRIORITY) {
      throw new MalformedMessageError(`a priority is ${priority}; its bounds are 0 and ${MAX_PRIORITY}`);
    }
    return { stands, incumbent, priority, joined: this.count("first view", 0), member: this.member() };
  }

  private take(length: number): number {
    const start = this.at;
    if (start + length > this.data.byteLength) {
      throw new MalformedMessageError(`it ends too early, after ${this.data.byteLength} bytes`);
    }
    this.at += length;
    return start;
  }
}

/** Whether a name may be one, as in Java: 1 to 255 characters, none of them a control character. */
export function isName(text: string): boolean {
  return text.length > 0 && text.length <= MAX_NAME && !/[\p{Cc}\p{Cs}]/u.test(text);
}

function name(what: string, text: string): string {
  if (!isName(text)) {
    throw new MalformedMessageError(
      `a ${what} is ${JSON.stringify(text)}; it has 1 to ${MAX_NAME} characters, no control`,
    );
  }
  return text;
}
