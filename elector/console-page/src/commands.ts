import { authorization } from "./feed.js";
import { displayName } from "./names.js";
import type { ChannelSnapshot, ElectionSnapshot, Ring } from "./snapshot.js";
import { inPlainWords } from "./words.js";

export type Verb = "resign" | "transfer" | "pause" | "resume";

/** An admin command that the user has not confirmed yet. */
export interface AdminCommand {
  readonly verb: Verb;
  readonly election: ElectionSnapshot;
  /** The possible successors for a transfer. */
  readonly others: readonly string[];
  /** The kind of server on which the election runs. */
  readonly at: "hub" | "process";
}

/** The result of a command, with the text of the server's answer. */
export interface Outcome {
  readonly done: boolean;
  readonly sentence: string;
}

export const LABELS: Readonly<Record<Verb, string>> = {
  resign: "Resign",
  transfer: "Transfer",
  pause: "Pause",
  resume: "Resume",
};

/** Returns the commands that the state of the election allows. */
export function verbs(election: ElectionSnapshot): Verb[] {
  const ofLeader: Verb[] = election.leader === undefined ? [] : ["resign", "transfer"];
  return [...ofLeader, election.paused === undefined ? "pause" : "resume"];
}

/** Returns the members of the channel except the leader. */
export function othersOf(channel: ChannelSnapshot, election: ElectionSnapshot): string[] {
  return [...new Set(channel.members.map((member) => member.id))].filter((id) => id !== election.leader?.id);
}

/** Returns the commands that the page of a process may send. The result is empty if the process does not lead. */
export function processCommands(process: Ring): AdminCommand[] {
  if (process.leader === undefined) return [];
  const election: ElectionSnapshot = { name: process.election, slot: "leader/1", leader: process.leader };
  const ids = (process.view?.members ?? []).map((member) => member.id);
  const others = [...new Set(ids)].filter((id) => id !== process.me);
  return (process.commands ?? []).map((verb) => ({ verb, election, others, at: "process" }));
}

/** Returns the question that asks the user to confirm a command. */
export function question({ verb, election, at }: AdminCommand): string {
  const leader = election.leader === undefined ? "The leader" : `“${displayName(election.leader.id)}”`;
  if (at === "process") {
    const next = verb === "transfer" ? "the member that you name is elected, if it campaigns" : "the others elect";
    return `${leader} steps down in “${election.name}”, and ${next}.`;
  }
  switch (verb) {
    case "resign":
      return `${leader} steps down in “${election.name}”, and may not claim it again for a while.`;
    case "transfer":
      return `${leader} steps down in “${election.name}”, and for a while only the member that you name may claim it.`;
    case "pause":
      return `Nobody leads “${election.name}” until you resume it. The present leader steps down.`;
    case "resume":
      return `A member may lead “${election.name}” again.`;
  }
}

/** Sends the command. The promise never rejects, because a missing answer is also an outcome. */
export async function give(
  command: AdminCommand,
  fields: Record<string, string>,
  key: string | null,
): Promise<Outcome> {
  try {
    const answer = await fetch(`v1/elections/${encodeURIComponent(command.election.name)}/${command.verb}`, {
      method: "POST",
      headers: authorization(key),
      body: new URLSearchParams(fields),
      cache: "no-store",
    });
    return outcome(answer.ok, await answer.text());
  } catch {
    return { done: false, sentence: "The process does not answer. It may or may not have carried out the command." };
  }
}

/** Parses `{"done": …}` or problem+json (RFC 9457). Any other text is displayed unchanged. */
export function outcome(ok: boolean, text: string): Outcome {
  let message = text;
  try {
    const answer = JSON.parse(text) as { done?: string; detail?: string };
    message = answer.done ?? answer.detail ?? text;
  } catch {
    // The answer does not have the format of the server. A proxy has perhaps sent the answer.
  }
  const blank = message.trim() === "";
  return { done: ok, sentence: inPlainWords(blank ? (ok ? "done" : "rejected without a reason") : message) };
}
