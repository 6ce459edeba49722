import { watchPage } from "./page.js";

/** The functions of the browser that a tab's swarm uses. Tests replace them. */
export interface TabPlatform {
  /** Waits for the lock of that name, or steals it. */
  lock(name: string, steal: boolean, callbacks: LockCallbacks): LockRequest;
  /** Opens the channel of that name, which connects all tabs of this origin, including this tab. */
  channel(name: string, receive: (data: unknown) => void): TabChannel;
  /** Returns true if the page is visible now. */
  visible(): boolean;
  watch(events: { changed(): void; away(): void; back(): void; gone(): void }): () => void;
}

export interface LockCallbacks {
  granted(): void;
  /** Called when another tab stole the lock. */
  robbed(): void;
  /** Called when the browser supports no locks on this page. The request has ended. */
  refused(error: unknown): void;
}

export interface LockRequest {
  /** Releases the lock, or stops waiting for it. */
  end(): void;
}

export interface TabChannel {
  post(data: unknown): void;
  close(): void;
}

/** Returns the browser's platform, or `alone` if tabs cannot reach each other. */
export function platform(): TabPlatform {
  return why() === null ? browser : alone;
}

/**
 * Returns the reason why the tabs cannot share a socket. Returns null if the tabs can share a socket, or if this code
 * runs outside a browser. Node has BroadcastChannel and, in newer versions, locks, but it has no tabs.
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
    : "this page was not served over https, which Web Locks require";
}

const browser: TabPlatform = {
  lock(name, steal, callbacks) {
    // `steal` and `signal` exclude each other. A steal does not wait, so it needs no signal.
    const waiting = new AbortController();
    let state: "waiting" | "held" | "over" = "waiting";
    let release = (): void => {};
    const options: LockOptions = steal ? { steal } : { signal: waiting.signal };
    const hold = (): Promise<void> | undefined => {
      if (state === "over") return undefined;
      state = "held";
      const held = new Promise<void>((resolve) => (release = resolve));
      callbacks.granted();
      return held;
    };
    navigator.locks.request(name, options, hold).catch((error: unknown) => {
      const was = state;
      state = "over";
      if (was === "held") callbacks.robbed();
      else if (was === "waiting") callbacks.refused(error);
    });
    return {
      end() {
        if (state === "waiting") waiting.abort();
        state = "over";
        release();
      },
    };
  },

  channel(name, receive) {
    // A BroadcastChannel does not receive its own messages. With a second BroadcastChannel, the tab receives
    // the messages that it sent (T8).
    const outgoing = new BroadcastChannel(name);
    const incoming = new BroadcastChannel(name);
    incoming.onmessage = (event) => receive(event.data);
    return {
      post: (data) => outgoing.postMessage(data),
      close() {
        outgoing.close();
        incoming.close();
      },
    };
  },

  visible: () => document.visibilityState === "visible",
  watch: watchTab,
};

/** A platform for a single tab. The lock is always free, and the channel has no other members. */
export const alone: TabPlatform = {
  lock(_name, _steal, callbacks) {
    let over = false;
    queueMicrotask(() => {
      if (!over) callbacks.granted();
    });
    return { end: () => void (over = true) };
  },
  channel: () => ({ post() {}, close() {} }),
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
