import { authorization } from "./feed.js";
import type { ChannelSnapshot, ElectionSnapshot, Ring } from "./snapshot.js";

export type Verb = "resign" | "transfer" | "pause" | "resume";

/** An admin command that awaits confirmation. */
export interface AdminCommand {
  readonly verb: Verb;
  readonly election: ElectionSnapshot;
  /** Possible successors for a transfer. */
  readonly others: readonly string[];
  /** Where the election runs. */
  readonly at: "hub" | "process";
}

/** The result of a command, in the hub's words. */
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

/** The commands that the state of the election allows. */
export function verbs(election: ElectionSnapshot): Verb[] {
  const ofLeader: Verb[] = election.leader === undefined ? [] : ["resign", "transfer"];
  return [...ofLeader, election.paused === undefined ? "pause" : "resume"];
}

/** The other members shown on the channel. */
export function othersOf(channel: ChannelSnapshot, election: ElectionSnapshot): string[] {
  return [...new Set(channel.members.map((member) => member.id))].filter((id) => id !== election.leader?.id);
}

/** The commands that a process's page may send: none unless that process leads. */
export function processCommands(process: Ring): AdminCommand[] {
  if (process.leader === undefined) return [];
  const election: ElectionSnapshot = { name: process.election, slot: "leader/1", leader: process.leader };
  const ids = (process.view?.members ?? []).map((member) => member.id);
  const others = [...new Set(ids)].filter((id) => id !== process.me);
  return (process.commands ?? []).map((verb) => ({ verb, election, others, at: "process" }));
}

/** The question that asks for confirmation. */
export function question({ verb, election, at }: AdminCommand): string {
  const leader = election.leader === undefined ? "The leader" : `“${election.leader.id}”`;
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

/** Sends the command. Never rejects; a missing answer is an outcome too. */
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

/** Parses `{"done": …}` or problem+json (RFC 9457). Any other text is shown as it is. */
export function outcome(ok: boolean, text: string): Outcome {
  let told = text;
  try {
    const answer = JSON.parse(text) as { done?: string; detail?: string };
    told = answer.done ?? answer.detail ?? text;
  } catch {
    // The answer is not the hub's. It may come from a proxy.
  }
  return { done: ok, sentence: sentence(told.trim() === "" ? (ok ? "done" : "rejected without a reason") : told) };
}

/** Starts the text with a capital letter and ends it with a full stop. */
export function sentence(words: string): string {
  const trimmed = words.trim();
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}.`.replace(/\.\.$/, ".");
}
