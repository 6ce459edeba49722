import type { Member, State } from "../src/state.js";

/** Returns a member that runs, votes, follows and reaches the other members. */
export function member(number: number, changes: Partial<Member> = {}): Member {
  return {
    number,
    pid: 4000 + number,
    address: `127.0.0.1:2000${number}`,
    state: "running",
    cut: false,
    leaving: false,
    role: "follower",
    votes: true,
    term: 1,
    committed: 10,
    applied: 10,
    leads: false,
    reaches: [1, 2, 3, 4].filter((each) => each !== number),
    reachedBy: [1, 2, 3, 4].filter((each) => each !== number),
    ...changes,
  };
}

/** Returns a state with three members. The first member leads the election, and the second member leads the log. */
export function state(changes: Partial<State> = {}): State {
  return {
    at: 0,
    started: true,
    canFreeze: true,
    changing: false,
    ttl: 3000,
    count: 7,
    leader: { member: 1, term: 2 },
    quorum: { voters: 3, needed: 2, available: 3, logLeader: 2 },
    members: [member(1, { leads: true }), member(2, { role: "leader" }), member(3)],
    leaderships: [],
    events: [],
    ...changes,
  };
}
