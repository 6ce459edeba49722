/**
 * Who is on the ring, and in which order: members, views and their ids, as `dev.doyen.membership` has them in Java.
 *
 * Source: docs/spec/ring.md, R1.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { compareKeys } from "./member.js";

/** A member. The same id started again is another one. */
export interface RingMember {
  /** The name people know it by. */
  readonly id: string;
  /** Unique per start. */
  readonly incarnation: string;
}

/** Names a view; numbers alone repeat on two sides of a partition. */
export interface ViewId {
  readonly number: number;
  readonly creator: string;
}

/** Who is there: two views of the same id have the same members. */
export interface RingView {
  readonly id: ViewId;
  readonly members: readonly RingMember[];
}

const UTF8 = new TextEncoder();

/** By id, then by incarnation, each by its bytes in UTF-8. */
export function compareMembers(one: RingMember, other: RingMember): number {
  return compareKeys(one.id, other.id) || compareKeys(one.incarnation, other.incarnation);
}

export function sameMember(one: RingMember, other: RingMember): boolean {
  return one.id === other.id && one.incarnation === other.incarnation;
}

export function sameView(one: ViewId, other: ViewId): boolean {
  return one.number === other.number && one.creator === other.creator;
}

export function hasMember(view: RingView, member: RingMember): boolean {
  return view.members.some((each) => sameMember(each, member));
}

/** The view with its members in the order of the ring (R1): each before its successor, the last before the first. */
export function inRingOrder(view: RingView): RingView {
  const placed = view.members.map((member) => ({ member, position: position(member) }));
  placed.sort(
    (one, other) => comparePositions(one.position, other.position) || compareMembers(one.member, other.member),
  );
  return { id: view.id, members: placed.map(({ member }) => member) };
}

/** The first 8 bytes of SHA-256 over id, a zero byte and incarnation. */
function position(member: RingMember): Uint8Array {
  return sha256(UTF8.encode(`${member.id}\0${member.incarnation}`)).subarray(0, 8);
}

function comparePositions(one: Uint8Array, other: Uint8Array): number {
  for (let i = 0; i < one.length; i++) {
    const difference = (one[i] ?? 0) - (other[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
