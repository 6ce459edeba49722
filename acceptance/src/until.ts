/**
 * Waits until `holds` is true, looking again at short intervals: for conditions of other processes, which cannot call us
 * back. Throws with `what` and the last value seen when the bound is reached.
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  holds: (seen: T) => boolean,
  withinMillis = 15_000,
): Promise<T> {
  const deadline = performance.now() + withinMillis;
  for (;;) {
    const seen = await look();
    if (holds(seen)) return seen;
    if (performance.now() >= deadline) {
      throw new Error(`${what}: not so within ${withinMillis} ms; last seen: ${JSON.stringify(seen)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
