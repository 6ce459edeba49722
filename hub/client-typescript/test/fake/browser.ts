import type { LockRequest, LockTold, TabPlatform } from "../../src/tab-platform.js";
import type { ManualTime } from "./time.js";

interface Waiting {
  readonly tab: FakeTab;
  readonly told: LockTold;
}

/** A browser in memory, with one lock and a channel. The channel clones messages and delivers them after 1 ms. */
export class FakeBrowser {
  readonly time: ManualTime;
  /** All messages, each with its time. */
  readonly words: { at: number; word: Record<string, unknown> }[] = [];
  holder: Waiting | null = null;
  refuses: Error | null = null;
  private readonly queue: Waiting[] = [];
  readonly ears = new Set<{ tab: FakeTab; hear: (data: unknown) => void }>();

  constructor(time: ManualTime) {
    this.time = time;
  }

  request(waiting: Waiting, steal: boolean): LockRequest {
    const robbed = this.holder;
    if (this.refuses !== null) {
      queueMicrotask(() => waiting.told.refused(this.refuses));
    } else if (steal) {
      this.grant(waiting);
      if (robbed !== null) robbed.tab.later(() => robbed.told.robbed());
    } else {
      this.queue.push(waiting);
      this.next();
    }
    return {
      end: () => {
        const at = this.queue.indexOf(waiting);
        if (at >= 0) this.queue.splice(at, 1);
        if (this.holder !== waiting) return;
        this.holder = null;
        this.next();
      },
    };
  }

  private next(): void {
    if (this.holder !== null) return;
    const first = this.queue.shift();
    if (first !== undefined) this.grant(first);
  }

  private grant(waiting: Waiting): void {
    this.holder = waiting;
    waiting.tab.later(() => {
      if (this.holder === waiting) waiting.told.granted();
    });
  }
}

/** One tab of the browser. */
export class FakeTab implements TabPlatform {
  private readonly browser: FakeBrowser;
  private looked = true;
  private hung: (() => void)[] | null = null;
  private events: Parameters<TabPlatform["watch"]>[0] | null = null;

  constructor(browser: FakeBrowser) {
    this.browser = browser;
  }

  lock(_name: string, steal: boolean, told: LockTold): LockRequest {
    return this.browser.request({ tab: this, told }, steal);
  }

  channel(_name: string, hear: (data: unknown) => void): { say(data: unknown): void; close(): void } {
    const ear = { tab: this, hear };
    const { ears, words, time } = this.browser;
    ears.add(ear);
    return {
      say: (data) => {
        const word = structuredClone(data) as Record<string, unknown>;
        words.push({ at: time.monotonicMillis(), word });
        for (const other of [...ears]) other.tab.later(() => ears.has(other) && other.hear(structuredClone(word)));
      },
      close: () => void ears.delete(ear),
    };
  }

  visible(): boolean {
    return this.looked;
  }

  watch(events: Parameters<TabPlatform["watch"]>[0]): () => void {
    this.events = events;
    return () => (this.events = null);
  }

  show(visible: boolean): void {
    this.looked = visible;
    this.events?.changed();
  }

  leave(): void {
    this.events?.away();
  }

  comeBack(): void {
    this.events?.back();
  }

  /** From now on the tab handles no event. The tab's clock must hold back its timers. */
  hang(): void {
    this.hung = [];
  }

  wake(): void {
    const held = this.hung ?? [];
    this.hung = null;
    for (const run of held) run();
  }

  get hangs(): boolean {
    return this.hung !== null;
  }

  later(run: () => void): void {
    this.browser.time.after(1, () => this.whenAwake(run));
  }

  whenAwake(run: () => void): void {
    if (this.hung === null) run();
    else this.hung.push(run);
  }
}
