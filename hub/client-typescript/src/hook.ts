import type { Listener, Register } from "@doyen/tabs/api";

/**
 * The listeners of one event, which a user has assigned or added.
 *
 * The assignment `swarm.onElection = f` sets one listener, which the next assignment replaces. Each call
 * `swarm.onElection(f)` adds a listener.
 */
export class Hook<T> {
  readonly register: Register<T>;
  private assigned: Listener<T> | null = null;
  private readonly added = new Set<Listener<T>>();
  private readonly onError: (error: unknown) => void;
  private readonly greet: (listener: Listener<T>) => void;

  /** `greet` receives each new listener, and can call the listener with the current state. */
  constructor(onError: (error: unknown) => void, greet: (listener: Listener<T>) => void = () => {}) {
    this.onError = onError;
    this.greet = greet;
    this.register = (listener) => {
      this.added.add(listener);
      this.greet(listener);
      return () => this.added.delete(listener);
    };
  }

  assign(listener: Listener<T> | null): void {
    this.assigned = listener;
    if (listener !== null) this.greet(listener);
  }

  has(listener: Listener<T>): boolean {
    return this.assigned === listener || this.added.has(listener);
  }

  /** Calls every listener, even if another listener throws. Returns their results. */
  emit(value: T): unknown[] {
    const listeners = this.assigned === null ? [...this.added] : [this.assigned, ...this.added];
    return listeners.map((listener) => this.call(listener, value));
  }

  call(listener: Listener<T>, value: T): unknown {
    try {
      const result = listener(value);
      if (!isThenable(result)) return result;
      // Convert the result to a promise of this realm, because callers test it with `instanceof`.
      const promise = Promise.resolve(result);
      promise.catch(this.onError);
      return promise;
    } catch (error) {
      this.onError(error);
      return undefined;
    }
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === "function";
}

/** Runs one part of a loop. If the part throws, `onError` receives the error and the loop continues. */
export function guarded(onError: (error: unknown) => void, part: () => void): void {
  try {
    part();
  } catch (error) {
    onError(error);
  }
}

/**
 * Returns a function that passes errors to `onError`. If `onError` itself throws, the function throws that error again
 * in a microtask, where it does not interrupt the caller.
 */
export function reporter(
  onError: (error: unknown) => void = (error) => console.error("swarm:", error),
): (error: unknown) => void {
  return (error) => {
    try {
      onError(error);
    } catch (thrown) {
      queueMicrotask(() => {
        throw thrown;
      });
    }
  };
}
