import type { MemberAction } from "./actions.js";
import { MAX_MEMBERS, MIN_MEMBERS, type Member, type State } from "./state.js";

/** The button for one action on a member, with its label and its consequence. */
export interface Choice {
  readonly action: MemberAction;
  readonly label: string;
  readonly consequence: string;
  readonly enabled: boolean;
}

/** Returns the four buttons of a member, always in the same order. */
export function choices(member: Member, state: State): Choice[] {
  return [ending(member, state), freezing(member, state), cutting(member, state), removing(member, state)];
}

function ending(member: Member, state: State): Choice {
  return member.state === "ended"
    ? choice("restart", "Restart", "with the log in its directory", !member.leaving)
    : choice("kill", "Kill", `SIGKILL: ${without(member, state)}`, !member.leaving);
}

function freezing(member: Member, state: State): Choice {
  if (member.state === "frozen") return choice("thaw", "Thaw", "SIGCONT: the process continues", !member.leaving);
  if (!state.canFreeze) return choice("freeze", "Freeze", "this system has no kill command", false);
  const enabled = member.state === "running" && !member.leaving;
  return choice("freeze", "Freeze", `SIGSTOP: ${without(member, state)}`, enabled);
}

function cutting(member: Member, state: State): Choice {
  const enabled = member.state === "running" && !member.leaving;
  return member.cut
    ? choice("reconnect", "Reconnect", "it receives the writes that it missed", enabled)
    : choice("cut", "Cut off", `no messages: ${without(member, state)}`, enabled);
}

function removing(member: Member, state: State): Choice {
  const hint = removal(member, state);
  return choice("remove", "Remove", hint ?? "the other members continue without it", hint === null);
}

/** Returns the reason why the member cannot be removed now; null if the member can be removed. */
function removal(member: Member, state: State): string | null {
  if (member.leaving) return "the removal is under way";
  if (state.members.length <= MIN_MEMBERS) return "at least three members must remain; add one first";
  if (state.changing) return "another change is under way";
  return hasMajority(state) ? null : "only a majority can confirm the change";
}

/** Returns the reason why no member can be added now; null if a member can be added. */
export function addition(state: State): string | null {
  if (state.members.length >= MAX_MEMBERS) return "seven members are the limit";
  if (state.changing) return "a change is under way";
  return hasMajority(state) ? null : "only a majority can confirm the change";
}

/** Describes what happens if this member no longer takes part. */
function without(member: Member, state: State): string {
  if (!takesPart(member)) return "this member takes no part now";
  const { needed, available } = state.quorum;
  if (member.votes && available >= needed && available - 1 < needed) return "no majority remains, so the count stops";
  if (member.leads) return "another member continues in seconds";
  if (state.quorum.logLeader === member.number) return "another member leads the log";
  return "the count continues";
}

export function takesPart(member: Member): boolean {
  return member.state === "running" && !member.cut;
}

export function hasMajority({ quorum }: State): boolean {
  return quorum.voters > 0 && quorum.available >= quorum.needed;
}

function choice(action: MemberAction, label: string, consequence: string, enabled: boolean): Choice {
  return { action, label, consequence, enabled };
}

/** Describes the state of the process in at most three words. */
export function condition(member: Member): string {
  if (member.leaving) return "is being removed";
  if (member.state === "ended") return "killed";
  if (member.state === "frozen") return "frozen";
  if (member.cut) return "cut off";
  return member.state === "starting" ? "starts" : "runs";
}

/** Describes the role in Raft that the member last reported. */
export function roleText(member: Member): string {
  switch (member.role) {
    case "leader":
      return "leads the log";
    case "follower":
      return "follows";
    case "candidate":
      return "candidate: knows no leader";
    case "learner":
      return "learner: copies the log";
    default:
      return "waits for the others";
  }
}

/** Formats member numbers as a list. */
export function list(numbers: readonly number[]): string {
  if (numbers.length === 0) return "nobody";
  return numbers.join(", ");
}

/** Describes the state in a few words. */
export function headline(state: State): string {
  if (!state.started) return "Nothing runs yet";
  if (state.leader !== undefined) return `Member ${state.leader.member} counts`;
  if (state.quorum.voters === 0) return "The members start";
  return hasMajority(state) ? "No process counts now" : "Without a majority no process counts";
}

/** Explains the headline. */
export function explanation(state: State): string {
  const { voters, needed, available } = state.quorum;
  if (voters === 0) return "They look for each other, and then found a quorum.";
  const part = `${available} of ${voters} voters take part, and ${needed} are a majority.`;
  if (state.leader !== undefined) return `It leads in term ${state.leader.term}. ${part}`;
  if (hasMajority(state))
    return `${part} Another member leads after the old lease has expired, within ${state.ttl / 1000} s.`;
  return `${part} Restart, thaw or reconnect a member.`;
}
