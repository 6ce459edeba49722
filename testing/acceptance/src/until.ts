/**
 * The maximum wait for another process. Even on a busy machine only a hanging process takes this long.
 *
 * A test that must fail earlier passes its own limit, such as a ttl of the protocol.
 */
export const HANG_MILLIS = 90_000;

/**
 * Polls at short intervals until `holds` returns true.
 *
 * Tests use this function for conditions of other processes, which cannot notify the test. After the limit, `until`
 * throws an error with `what` and the last value, even if a call of `read` never returns.
 */
export async function until<T>(
  what: string,
  read: () => T | Promise<T>,
  holds: (seen: T) => boolean,
  withinMillis = HANG_MILLIS,
): Promise<T> {
  const deadline = performance.now() + withinMillis;
  let last: T | undefined;
  for (;;) {
    const result = await within(deadline - performance.now(), read());
    if (result !== null) last = result.value;
    if (result !== null && holds(result.value)) return result.value;
    if (performance.now() >= deadline) {
      throw new Error(`not fulfilled within ${withinMillis} ms: ${what}; last value: ${JSON.stringify(last)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Returns the result; null if no result arrives within this time. */
export async function within<T>(millis: number, awaited: T | Promise<T>): Promise<{ readonly value: T } | null> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), Math.max(0, millis))));
  try {
    return await Promise.race([Promise.resolve(awaited).then((value) => ({ value })), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
