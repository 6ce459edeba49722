import { watchPage } from "./page.js";

/** The functions of the browser that a tab's swarm uses. Tests replace them. */
export interface TabPlatform {
  /** Waits for the lock of that name, or steals it. */
  lock(name: string, steal: boolean, told: LockTold): LockRequest;
  /** Opens a channel to all tabs of this origin that open the same name. That includes this tab. */
  channel(name: string, hear: (data: unknown) => void): TabChannel;
  /** Whether the page is visible now. */
  visible(): boolean;
  watch(events: { changed(): void; away(): void; back(): void; gone(): void }): () => void;
}

export interface LockTold {
  granted(): void;
  /** Another tab stole the lock. */
  robbed(): void;
  /** The browser supports no locks on this page, and the request has ended. */
  refused(error: unknown): void;
}

export interface LockRequest {
  /** Releases the lock, or stops waiting for it. */
  end(): void;
}

export interface TabChannel {
  say(data: unknown): void;
  close(): void;
}

/** Returns the browser's platform, or `alone` where tabs cannot reach each other. */
export function platform(): TabPlatform {
  return why() === null ? browser : alone;
}

/**
 * Why the tabs here cannot share a socket. Null if they can, and outside a browser.
 *
 * Node has BroadcastChannel, and newer versions have locks, but no tabs.
 */
export function whyAlone(): string | null {
  const reason = why();
  return reason === NO_TABS ? null : reason;
}

const NO_TABS = "no browser";

function why(): string | null {
  if (typeof document === "undefined") return NO_TABS;
  if (typeof BroadcastChannel === "undefined") return "this browser has no BroadcastChannel";
  if (typeof navigator.locks?.request === "function") return null;
  return globalThis.isSecureContext
    ? "this browser has no Web Locks"
    : "this page was not served over https, and Web Locks need that";
}

const browser: TabPlatform = {
  lock(name, steal, told) {
    // `steal` and `signal` exclude each other. A steal does not wait, so it needs no signal.
    const waiting = new AbortController();
    let state: "waiting" | "held" | "over" = "waiting";
    let giveBack = (): void => {};
    const options: LockOptions = steal ? { steal } : { signal: waiting.signal };
    const hold = (): Promise<void> | undefined => {
      if (state === "over") return undefined;
      state = "held";
      const held = new Promise<void>((resolve) => (giveBack = resolve));
      told.granted();
      return held;
    };
    navigator.locks.request(name, options, hold).catch((error: unknown) => {
      const was = state;
      state = "over";
      if (was === "held") told.robbed();
      else if (was === "waiting") told.refused(error);
    });
    return {
      end() {
        if (state === "waiting") waiting.abort();
        state = "over";
        giveBack();
      },
    };
  },

  channel(name, hear) {
    // A BroadcastChannel does not receive its own messages. With a second one the tab receives what it sent (T8).
    const mouth = new BroadcastChannel(name);
    const ear = new BroadcastChannel(name);
    ear.onmessage = (event) => hear(event.data);
    return {
      say: (data) => mouth.postMessage(data),
      close() {
        mouth.close();
        ear.close();
      },
    };
  },

  visible: () => document.visibilityState === "visible",
  watch: watchTab,
};

/** Each tab on its own: the lock is always free, and the channel reaches nobody. */
export const alone: TabPlatform = {
  lock(_name, _steal, told) {
    let over = false;
    queueMicrotask(() => {
      if (!over) told.granted();
    });
    return { end: () => void (over = true) };
  },
  channel: () => ({ say() {}, close() {} }),
  visible: () => typeof document === "undefined" || document.visibilityState === "visible",
  watch: watchTab,
};

function watchTab(events: { changed(): void; away(): void; back(): void; gone(): void }): () => void {
  if (typeof document === "undefined") return () => {};
  document.addEventListener("visibilitychange", events.changed);
  const unwatch = watchPage({ frozen: events.away, thawed: events.back, gone: events.gone });
  return () => {
    document.removeEventListener("visibilitychange", events.changed);
    unwatch();
  };
}
