interface Entry {
  readonly at: number;
  readonly n: number;
  readonly run: () => void;
}

/**
 * Simulated time, which runs events in the order of their time. Events of the same time run in the order in which
 * they were added.
 */
export class Timeline {
  now = 0;
  private n = 0;
  private readonly heap: Entry[] = [];

  at(millis: number, run: () => void): void {
    const heap = this.heap;
    heap.push({ at: Math.max(millis, this.now), n: this.n++, run });
    for (let i = heap.length - 1; i > 0;) {
      const parent = (i - 1) >> 1;
      if (!this.before(i, parent)) break;
      this.swap(i, parent);
      i = parent;
    }
  }

  after(millis: number, run: () => void): void {
    this.at(this.now + millis, run);
  }

  /** Runs all events up to `end`, and calls `watch` after each event. */
  runUntil(end: number, watch: () => void): void {
    for (let next = this.heap[0]; next !== undefined && next.at <= end; next = this.heap[0]) {
      this.now = next.at;
      this.pop();
      next.run();
      watch();
    }
    this.now = end;
  }

  private pop(): void {
    const heap = this.heap;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    heap[0] = last;
    for (let i = 0; ;) {
      let least = i;
      for (const child of [2 * i + 1, 2 * i + 2]) if (child < heap.length && this.before(child, least)) least = child;
      if (least === i) return;
      this.swap(i, least);
      i = least;
    }
  }

  private before(i: number, j: number): boolean {
    const a = this.heap[i]!;
    const b = this.heap[j]!;
    return a.at !== b.at ? a.at < b.at : a.n < b.n;
  }

  private swap(i: number, j: number): void {
    const a = this.heap[i]!;
    this.heap[i] = this.heap[j]!;
    this.heap[j] = a;
  }
}
