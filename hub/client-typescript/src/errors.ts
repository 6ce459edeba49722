/** Thrown if a call requires leadership and this member does not lead now. */
export class NotLeadingError extends Error {
  /**
   * The term of the rejected call, or the last term in which this member led. The value is null if no such term is
   * known.
   */
  readonly term: number | null;

  constructor(what: string, term: number | null) {
    super(
      term === null
        ? `${what} requires leadership, but this member does not lead`
        : `${what} requires leadership, but term ${term} has ended`,
    );
    this.name = "NotLeadingError";
    this.term = term;
  }
}

/** Thrown if the tab with the socket did not report whether it sent a message. The message may have been sent. */
export class UnansweredError extends Error {
  constructor(name: string, waitedMillis: number) {
    const why = waitedMillis > 0 ? `did not answer within ${waitedMillis} ms` : "lost the socket before it answered";
    super(`the tab with the socket ${why}, so it is unknown whether "${name}" was sent`);
    this.name = "UnansweredError";
  }
}

/** The hub's error codes for claims and fences (docs/spec/claims.md, C2 and C10). */
export const CLAIM_REFUSED = 40910;
export const FENCE_REFUSED = 40911;

/** Returns true if an Ably error or one of its causes has this code. The search follows at most four causes. */
export function hasCode(error: unknown, code: number): boolean {
  for (let e = error as { code?: unknown; cause?: unknown } | null | undefined, depth = 0; e && depth < 5; depth++) {
    if (e.code === code) return true;
    e = e.cause as typeof e;
  }
  return false;
}

/**
 * Extracts the term from a rejection (`... in term 8`), or returns null. The text is part of the spec (claims.md, C2).
 */
export function termInRefusal(error: unknown): number | null {
  const message = (error as { message?: unknown } | null)?.message;
  const found = typeof message === "string" ? /in term (\d{1,15})\b/.exec(message) : null;
  return found?.[1] === undefined ? null : Number(found[1]);
}
