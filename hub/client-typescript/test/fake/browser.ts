import type { LockRequest, LockCallbacks, TabPlatform } from "../../src/tab-platform.js";
import type { ManualTime } from "./time.js";

interface Waiting {
  readonly tab: FakeTab;
  readonly callbacks: LockCallbacks;
}

/** A browser in memory with one lock and one channel. The channel clones messages and delivers them after 1 ms. */
export class FakeBrowser {
  readonly time: ManualTime;
  /** All messages that the tabs have sent, each with its time. */
  readonly messages: { at: number; message: Record<string, unknown> }[] = [];
  holder: Waiting | null = null;
  refuses: Error | null = null;
  private readonly queue: Waiting[] = [];
  readonly receivers = new Set<{ tab: FakeTab; onMessage: (data: unknown) => void }>();

  constructor(time: ManualTime) {
    this.time = time;
  }

  request(waiting: Waiting, steal: boolean): LockRequest {
    const robbed = this.holder;
    if (this.refuses !== null) {
      queueMicrotask(() => waiting.callbacks.refused(this.refuses));
    } else if (steal) {
      this.grant(waiting);
      if (robbed !== null) robbed.tab.later(() => robbed.callbacks.robbed());
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
      if (this.holder === waiting) waiting.callbacks.granted();
    });
  }
}

/** One tab of the fake browser. */
export class FakeTab implements TabPlatform {
  private readonly browser: FakeBrowser;
  private isVisible = true;
  private hung: (() => void)[] | null = null;
  private events: Parameters<TabPlatform["watch"]>[0] | null = null;

  constructor(browser: FakeBrowser) {
    this.browser = browser;
  }

  lock(_name: string, steal: boolean, callbacks: LockCallbacks): LockRequest {
    return this.browser.request({ tab: this, callbacks }, steal);
  }

  channel(_name: string, onMessage: (data: unknown) => void): { post(data: unknown): void; close(): void } {
    const receiver = { tab: this, onMessage };
    const { receivers, messages, time } = this.browser;
    receivers.add(receiver);
    return {
      post: (data) => {
        const message = structuredClone(data) as Record<string, unknown>;
        messages.push({ at: time.monotonicMillis(), message });
        for (const other of [...receivers]) {
          other.tab.later(() => receivers.has(other) && other.onMessage(structuredClone(message)));
        }
      },
      close: () => void receivers.delete(receiver),
    };
  }

  visible(): boolean {
    return this.isVisible;
  }

  watch(events: Parameters<TabPlatform["watch"]>[0]): () => void {
    this.events = events;
    return () => (this.events = null);
  }

  show(visible: boolean): void {
    this.isVisible = visible;
    this.events?.changed();
  }

  leave(): void {
    this.events?.away();
  }

  comeBack(): void {
    this.events?.back();
  }

  /** Stops the tab, which handles no events until `wake`. The test must also delay the tab's timers. */
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
