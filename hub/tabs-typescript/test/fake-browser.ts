import type { Browser, PageEvents } from "../src/browser.js";
import type { LeaseRecord, Moment } from "../src/lease-state.js";

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** A browser in memory, with a clock that only the test advances. */
export class FakeBrowser {
  now = 0;
  wallShift = 1_700_000_000_000;
  storageFails = false;
  readonly records = new Map<string, LeaseRecord>();
  readonly held = new Set<string>();
  readonly watchers: { lock: string; ended: () => void }[] = [];
  readonly receivers = new Set<{ name: string; tab: FakeTab; receive: (data: unknown) => void }>();
  private timers: Timer[] = [];

  after(millis: number, run: () => void): () => void {
    const timer = { at: this.now + Math.ceil(millis), run };
    this.timers.push(timer);
    return () => (this.timers = this.timers.filter((other) => other !== timer));
  }

  async advance(millis: number): Promise<void> {
    const end = this.now + millis;
    await settled();
    for (;;) {
      const due = this.timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.timers.splice(this.timers.indexOf(due), 1);
      this.now = Math.max(this.now, due.at);
      due.run();
      await settled();
    }
    this.now = end;
  }

  release(lock: string): void {
    this.held.delete(lock);
    for (const watcher of [...this.watchers]) {
      if (watcher.lock !== lock) continue;
      this.watchers.splice(this.watchers.indexOf(watcher), 1);
      this.after(1, watcher.ended);
    }
  }
}

/** One tab of the fake browser. */
export class FakeTab implements Browser {
  readonly browser: FakeBrowser;
  isVisible = true;
  page: PageEvents | null = null;
  readonly locks = new Set<string>();
  /** True if the tab has ended without an event. */
  crashed = false;

  constructor(browser: FakeBrowser) {
    this.browser = browser;
  }

  readonly moment = (): Moment => ({ now: this.browser.now, wall: this.browser.now + this.browser.wallShift });
  readonly after = (millis: number, run: () => void): (() => void) =>
    this.browser.after(millis, () => this.crashed || run());

  async transact(
    channel: string,
    change: (record: LeaseRecord | null) => LeaseRecord | null,
  ): Promise<LeaseRecord | null> {
    const { records, storageFails } = this.browser;
    await new Promise<void>((resolve) => this.after(1, resolve));
    if (storageFails) throw new Error("storage is blocked");
    const result = change(structuredClone(records.get(channel)) ?? null);
    if (result !== null) records.set(channel, structuredClone(result));
    return result;
  }

  async hold(lock: string): Promise<() => void> {
    this.browser.held.add(lock);
    this.locks.add(lock);
    return () => {
      if (this.locks.delete(lock)) this.browser.release(lock);
    };
  }

  watch(lock: string, ended: () => void): () => void {
    const { watchers, held } = this.browser;
    const watcher = { lock, ended: () => this.crashed || ended() };
    watchers.push(watcher);
    if (!held.has(lock)) this.browser.release(lock);
    return () => {
      if (watchers.includes(watcher)) watchers.splice(watchers.indexOf(watcher), 1);
    };
  }

  channel(name: string, receive: (data: unknown) => void): { post(data: unknown): void; close(): void } {
    const { receivers } = this.browser;
    const mine = { name, tab: this, receive };
    receivers.add(mine);
    return {
      post: (data) => {
        const copy = structuredClone(data);
        for (const other of receivers) {
          if (other === mine || other.name !== name) continue;
          this.browser.after(1, () => receivers.has(other) && !other.tab.crashed && other.receive(copy));
        }
      },
      close: () => void receivers.delete(mine),
    };
  }

  visible(): boolean {
    return this.isVisible;
  }

  watchPage(events: PageEvents): () => void {
    this.page = events;
    return () => (this.page = null);
  }

  crash(): void {
    this.crashed = true;
    for (const lock of this.locks) this.browser.release(lock);
  }
}

/** Waits until all promises that can settle have settled. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
