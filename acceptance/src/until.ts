/**
 * How long a test waits for another process. It is so long that only a hang reaches it, on a busy machine too. A test that
 * must fail earlier gives its own limit: a time of the protocol, such as a ttl.
 */
export const HANG_MILLIS = 90_000;

/**
 * Waits until `holds` is true, looking again at short intervals: for conditions of other processes, which cannot call us
 * back. Throws with `what` and the last value seen when the bound is reached, also if a look has no end.
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  holds: (seen: T) => boolean,
  withinMillis = HANG_MILLIS,
): Promise<T> {
  const deadline = performance.now() + withinMillis;
  let last: T | undefined;
  for (;;) {
    const looked = await within(deadline - performance.now(), look());
    if (looked !== null) last = looked.value;
    if (looked !== null && holds(looked.value)) return looked.value;
    if (performance.now() >= deadline) {
      throw new Error(`${what}: not so within ${withinMillis} ms; last seen: ${JSON.stringify(last)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** What comes of it, or null if nothing does in time. */
export async function within<T>(millis: number, awaited: T | Promise<T>): Promise<{ readonly value: T } | null> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), Math.max(0, millis))));
  try {
    return await Promise.race([Promise.resolve(awaited).then((value) => ({ value })), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
