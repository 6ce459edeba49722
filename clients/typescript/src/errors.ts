/** The call needs leadership, and this member does not have it, or no longer. */
export class NotLeadingError extends Error {
  /** The term in which the call would have acted, or null if this member never led. */
  readonly term: number | null;

  constructor(what: string, term: number | null) {
    super(
      term === null
        ? `${what} needs leadership, and this member does not lead`
        : `${what} needs leadership, and term ${term} is over`,
    );
    this.name = "NotLeadingError";
    this.term = term;
  }
}

/** The tab that was to send a message did not answer: nobody here knows whether it was sent. */
export class UnansweredError extends Error {
  constructor(name: string, waitedMillis: number) {
    const why = waitedMillis > 0 ? `did not answer within ${waitedMillis} ms` : "went away before it answered";
    super(`the tab that is connected ${why}: whether "${name}" was sent is not known`);
    this.name = "UnansweredError";
  }
}

/** The hub's codes that concern a swarm (docs/spec/claims.md). */
export const CLAIM_REFUSED = 40910;
export const FENCE_REFUSED = 40911;

/** The numeric code of an Ably error, following its causes down to the one with that code. */
export function hasCode(error: unknown, code: number): boolean {
  for (let e = error as { code?: unknown; cause?: unknown } | null | undefined, depth = 0; e && depth < 5; depth++) {
    if (e.code === code) return true;
    e = e.cause as typeof e;
  }
  return false;
}

/** The term that a refusal names (`... in term 8`), or null. The hub's sentences are part of docs/spec/claims.md, C2. */
export function termInRefusal(error: unknown): number | null {
  const message = (error as { message?: unknown } | null)?.message;
  const found = typeof message === "string" ? /in term (\d{1,15})\b/.exec(message) : null;
  return found?.[1] === undefined ? null : Number(found[1]);
}
