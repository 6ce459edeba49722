/** What a listener returns is ignored, except by `onDemotion`, which waits for promises. */
export type Listener<T> = (value: T) => unknown;

/** Adds a listener; call the result to remove it. */
export type Register<T> = (listener: Listener<T>) => () => void;

/**
 * A place for listeners that serves both ways of writing it: `swarm.onElection = f` holds one listener and replaces
 * it at the next assignment, `swarm.onElection(f)` adds any number.
 */
export class Hook<T> {
  readonly register: Register<T>;
  private assigned: Listener<T> | null = null;
  private readonly added = new Set<Listener<T>>();
  private readonly onError: (error: unknown) => void;
  private readonly greet: (listener: Listener<T>) => void;

  /** `greet` may call a listener that came late with the present state. */
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

  /** Calls every listener, whatever another one throws; what they return comes back. */
  emit(value: T): unknown[] {
    const listeners = this.assigned === null ? [...this.added] : [this.assigned, ...this.added];
    return listeners.map((listener) => this.call(listener, value));
  }

  call(listener: Listener<T>, value: T): unknown {
    try {
      const result = listener(value);
      if (result instanceof Promise) result.catch(this.onError);
      return result;
    } catch (error) {
      this.onError(error);
      return undefined;
    }
  }
}
