import { randomId } from "./options.js";
import { isName } from "./ring-message.js";
import { ringLeader, type Obstacle, type RingState } from "./ring-state.js";
import { sameMember, type RingMember } from "./ring-view.js";

/** One member of a ring, as this one sees it. */
export interface RingPeer {
  readonly id: string;
  /** New with each start: tells two members of one id apart. */
  readonly incarnation: string;
  readonly leader: boolean;
  readonly self: boolean;
}

/** The members of the view that is installed, in the order of the ring. */
export function peersOf(ring: RingState, me: RingMember): RingPeer[] {
  const leader = ringLeader(ring)?.creator;
  return (ring.seat?.view.members ?? []).map((member) => ({
    ...member,
    leader: leader !== undefined && sameMember(member, leader),
    self: sameMember(member, me),
  }));
}

/** A new member of this client id; throws if it cannot be one, for nobody would take it for a member. */
export function memberOf(clientId: string): RingMember {
  if (!isName(clientId)) {
    throw new TypeError(
      `the client's clientId is ${JSON.stringify(clientId)}: a member's has at most 255 characters, no control character`,
    );
  }
  return { id: clientId, incarnation: randomId() };
}

/** Why a hand-over failed (H3), as people are told. */
export const OBSTACLES: Readonly<Record<Obstacle, string>> = {
  not_there: "the view has no other member of this id",
  another_elected: "another member was elected",
  no_answer: "it has done nothing in time, and the members elect",
};
