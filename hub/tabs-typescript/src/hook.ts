import type { Listener, Register } from "./api.js";

/** The listeners of one event. An assigned listener replaces the former one; a call adds a listener. */
export interface Hook<T> {
  register: Register<T>;
  assign(listener: Listener<T> | null): void;
  /** Calls every listener, even if another listener throws. */
  emit(value: T): void;
  /** Settles when the promises of all listeners have settled that the last event has called. Never rejects. */
  settled(): Promise<unknown>;
}

/** Creates a hook. Errors of listeners go to `onError`. A new listener is called at once if `current` has a value. */
export function newHook<T>(onError: (error: unknown) => void, current: () => T | null = () => null): Hook<T> {
  const listeners = new Set<(value: T) => void>();
  let results: Promise<unknown>[] = [];
  let unassign = (): unknown => 0;
  const register: Register<T> = (listener) => {
    const run = (value: T): unknown => results.push((async () => listener(value))().catch(onError));
    const value = current();
    listeners.add(run);
    if (value) run(value);
    return () => listeners.delete(run);
  };
  return {
    register,
    assign(listener) {
      unassign();
      if (listener) unassign = register(listener);
    },
    emit(value) {
      results = [];
      for (const run of [...listeners]) run(value);
    },
    settled: () => Promise.all(results),
  };
}
