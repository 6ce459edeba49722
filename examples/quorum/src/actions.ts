import { outcome, type Outcome } from "../../../elector/console-page/src/commands.js";

export type MemberAction = "kill" | "restart" | "freeze" | "thaw" | "cut" | "reconnect" | "remove";
export type Action = MemberAction | "start" | "add";

/** Sends an action to the demo. Never rejects; a missing answer is an outcome too. */
export async function carryOut(action: Action, member?: number): Promise<Outcome> {
  try {
    const path = member === undefined ? action : `${action}/${member}`;
    const answer = await fetch(`v1/${path}`, { method: "POST", cache: "no-store" });
    return outcome(answer.ok, await answer.text());
  } catch {
    return { done: false, sentence: "The demo does not answer. Is it still running?" };
  }
}
