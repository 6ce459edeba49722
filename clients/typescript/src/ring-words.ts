/**
 * What members of a ring write on their channel: the data of their presence, and messages, which carry the view their
 * sender has installed. `ChannelWords` of doyen-channel reads and writes the same.
 *
 * Source: docs/spec/ring.md, "Over the hub".
 */
import type { InboundMessage, PresenceMessage } from "ably";
import { memberKey } from "./member.js";
import { isName } from "./ring-message.js";
import type { RingMember, ViewId } from "./ring-view.js";
import type { Entry } from "./roll-call.js";

/** The name of all messages between members. */
export const MEMBER_MESSAGE = "doyen.member";
/** Longer ones are not read. */
const MAX_BYTES = 16 * 1024;
/** No more are said, or read, to be silent. */
const MAX_SILENT = 200;

/** What one member says to another, or, without `to`, to all: then only its view. */
export interface Letter {
  readonly from: RingMember;
  readonly view: ViewId | null;
  /** The incarnations that its sender takes for silent; only in what is said to all. */
  readonly silent: readonly string[];
  /** When it was said, by its sender's clock, in milliseconds: of use to its sender only; only in what is said to all. */
  readonly at: number | null;
  readonly to: string | null;
  readonly topic: string;
  readonly bytes: Uint8Array;
}

/** The presence data of a member. */
export function presenceData(me: RingMember): object {
  return { doyen: "member", incarnation: me.incarnation };
}

/** Reads an entry of the presence set. Who did not write `presenceData` is no member. */
export function readEntry(message: PresenceMessage): Entry {
  const { clientId, connectionId, timestamp, data } = message;
  const key = memberKey(connectionId, clientId);
  const ours = isRecord(data) && data["doyen"] === "member" && isText(data["incarnation"]) && isName(clientId);
  return { key, member: ours ? { id: clientId, incarnation: data["incarnation"] as string } : null, since: timestamp };
}

/** The data of a message to one member. */
export function letterTo(
  to: RingMember,
  from: RingMember,
  view: ViewId | null,
  topic: string,
  bytes: Uint8Array,
): object {
  return { ...head(from, view), to: to.incarnation, topic, m: base64(bytes) };
}

/** The data of a message to all. */
export function announcement(from: RingMember, view: ViewId, silent: readonly string[], at: number): object {
  // Rounded down: an echo may be taken for older than it is, not for younger.
  const said = { ...head(from, view), at: Math.floor(at) };
  return silent.length === 0 ? said : { ...said, silent: silent.slice(0, MAX_SILENT) };
}

function head(from: RingMember, view: ViewId | null): object {
  return { v: 1, from: from.incarnation, ...(view === null ? {} : { view: [view.number, view.creator] }) };
}

/** Reads what a member said; null if it is nothing of that kind. The hub vouches for the sender's id. */
export function readLetter({ name, clientId, data }: InboundMessage): Letter | null {
  if (name !== MEMBER_MESSAGE || !isRecord(data) || data["v"] !== 1) return null;
  const { from, to, topic, m } = data;
  if (!isText(clientId) || !isText(from)) return null;
  const silent = Array.isArray(data["silent"]) ? data["silent"].slice(0, MAX_SILENT).filter(isText) : [];
  const about = { from: { id: clientId, incarnation: from }, view: readView(data["view"]), silent };
  const at = typeof data["at"] === "number" && data["at"] >= 0 ? data["at"] : null;
  if (to === undefined) return { ...about, at, to: null, topic: "", bytes: new Uint8Array() };
  const bytes = typeof m === "string" && m.length <= MAX_BYTES * 2 ? unbase64(m) : null;
  return isText(to) && isText(topic) && bytes !== null && bytes.length <= MAX_BYTES
    ? { ...about, at: null, to, topic, bytes }
    : null;
}

function readView(said: unknown): ViewId | null {
  if (!Array.isArray(said) || said.length !== 2) return null;
  const [number, creator] = said as unknown[];
  return Number.isSafeInteger(number) && (number as number) > 0 && isText(creator)
    ? { number: number as number, creator }
    : null;
}

function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

function unbase64(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string" && isName(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
