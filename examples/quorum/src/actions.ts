import { outcome, type Outcome } from "../../../elector/console-page/src/commands.js";
import { authorization } from "../../../elector/console-page/src/feed.js";

export type MemberAction = "kill" | "restart" | "freeze" | "thaw" | "cut" | "reconnect" | "remove";
export type Action = MemberAction | "start" | "add";

/** Sends an action with the admin key to the demo. The promise never rejects, because a missing answer is also an outcome. */
export async function carryOut(key: string | null, action: Action, member?: number): Promise<Outcome> {
  try {
    const path = member === undefined ? action : `${action}/${member}`;
    const answer = await fetch(`v1/${path}`, { method: "POST", headers: authorization(key), cache: "no-store" });
    return outcome(answer.ok, await answer.text());
  } catch {
    return { done: false, sentence: "The demo does not answer. Is it still running?" };
  }
}
