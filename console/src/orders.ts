import { authorization } from "./feed.js";
import type { ChannelLook, ElectionLook, Ring } from "./look.js";

export type Verb = "resign" | "transfer" | "pause" | "resume";

/** An order that somebody is about to give. */
export interface Order {
  readonly verb: Verb;
  readonly election: ElectionLook;
  /** Who could be handed over to. */
  readonly others: readonly string[];
  /** Where the election is. */
  readonly at: "hub" | "process";
}

/** What became of it, in the hub's own words. */
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

/** What may be ordered about an election as it is. */
export function verbs(election: ElectionLook): Verb[] {
  const ofLeader: Verb[] = election.leader === undefined ? [] : ["resign", "transfer"];
  return [...ofLeader, election.paused === undefined ? "pause" : "resume"];
}

/** Who else is shown on the channel. */
export function othersOf(channel: ChannelLook, election: ElectionLook): string[] {
  return [...new Set(channel.members.map((member) => member.id))].filter((id) => id !== election.leader?.id);
}

/** What the page of a process may order: nothing, unless that process leads. */
export function processOrders(process: Ring): Order[] {
  if (process.leader === undefined) return [];
  const election: ElectionLook = { name: process.election, slot: "leader/1", leader: process.leader };
  const ids = (process.view?.members ?? []).map((member) => member.id);
  const others = [...new Set(ids)].filter((id) => id !== process.me);
  return (process.orders ?? []).map((verb) => ({ verb, election, others, at: "process" }));
}

/** What a person is asked before it is given. */
export function question({ verb, election, at }: Order): string {
  const leader = election.leader === undefined ? "The leader" : `“${election.leader.id}”`;
  if (at === "process") {
    const next = verb === "transfer" ? "the member you name is elected, if it stands" : "the others elect";
    return `${leader} steps down in “${election.name}”, and ${next}.`;
  }
  switch (verb) {
    case "resign":
      return `${leader} steps down in “${election.name}”, and may not claim it again for a while.`;
    case "transfer":
      return `${leader} steps down in “${election.name}”, and for a while nobody may claim it but the member you name.`;
    case "pause":
      return `Nobody leads “${election.name}” until it is resumed. Whoever leads steps down.`;
    case "resume":
      return `Somebody may lead “${election.name}” again.`;
  }
}

/** Gives the order. Never throws: that no answer comes is an outcome too. */
export async function give(order: Order, fields: Record<string, string>, key: string | null): Promise<Outcome> {
  try {
    const answer = await fetch(`v1/elections/${encodeURIComponent(order.election.name)}/${order.verb}`, {
      method: "POST",
      headers: authorization(key),
      body: new URLSearchParams(fields),
      cache: "no-store",
    });
    return outcome(answer.ok, await answer.text());
  } catch {
    return { done: false, sentence: "There is no answer; whether the order was carried out is not known." };
  }
}

/** Reads `{"done": …}` or problem+json (RFC 9457); what is neither is shown as it is. */
export function outcome(ok: boolean, text: string): Outcome {
  let told = text;
  try {
    const answer = JSON.parse(text) as { done?: string; detail?: string };
    told = answer.done ?? answer.detail ?? text;
  } catch {
    // Something in front of the hub has answered.
  }
  return { done: ok, sentence: sentence(told.trim() === "" ? (ok ? "done" : "refused, without a word why") : told) };
}

/** With a capital and a full stop. */
export function sentence(words: string): string {
  const trimmed = words.trim();
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}.`.replace(/\.\.$/, ".");
}
