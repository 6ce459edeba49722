/**
 * Simulates a frozen page and a lost connection, which the visitor can request.
 *
 * This file replaces the timers and the WebSocket of the page. Import this file before the `ably` package, because
 * that package reads the timers and the WebSocket when it loads. The view uses the real timers, because a frozen page
 * must still show its state.
 */

export type Mode = "open" | "frozen" | "cut";

const RealWebSocket = globalThis.WebSocket;
const realSetTimeout = globalThis.setTimeout.bind(globalThis);
const realSetInterval = globalThis.setInterval.bind(globalThis);
const EVENTS = ["open", "message", "close", "error"] as const;
/**
 * The maximum number of callbacks and events that a frozen page stores. A real page would lose its connection
 * before it reaches this number.
 */
const MAX_HELD = 10_000;

let mode: Mode = "open";
let held: (() => void)[] = [];
let sockets: { readonly real: WebSocket; mute: boolean; notify: (event: CloseEvent) => void }[] = [];

/** The real timers for the view. They also run while the page is frozen. */
export const viewTimers = { setTimeout: realSetTimeout, setInterval: realSetInterval };

export function lineMode(): Mode {
  return mode;
}

/**
 * Stores the callbacks of expired timeouts and the events of the sockets until `wake` runs them. A browser does the
 * same when it freezes a page.
 */
export function freeze(): void {
  if (mode === "open") mode = "frozen";
}

/** Runs all stored callbacks and events in order. */
export function wake(): void {
  if (mode !== "frozen") return;
  mode = "open";
  const due = held;
  held = [];
  for (const run of due) run();
}

/** Drops the sockets without a CLOSE or leave message. The page itself receives no event about the loss. */
export function cut(): void {
  if (mode !== "open") return;
  mode = "cut";
  for (const socket of sockets) {
    socket.mute = true;
    socket.real.close();
  }
}

/** Restores the connection and reports to the SDK that its sockets were lost. */
export function mend(): void {
  if (mode !== "cut") return;
  mode = "open";
  const lost = sockets;
  sockets = [];
  for (const socket of lost) socket.notify(new CloseEvent("close", { code: 1006, wasClean: false }));
}

function whenAwake(run: () => void): void {
  if (mode !== "frozen") run();
  else if (held.length < MAX_HELD) held.push(run);
}

function open(url: string | URL, protocols?: string | string[]): WebSocket {
  const real = new RealWebSocket(url, protocols);
  const handlers: Partial<Record<(typeof EVENTS)[number], ((event: Event) => void) | null>> = {};
  const entry = { real, mute: mode === "cut", notify: (event: CloseEvent) => handlers.close?.call(real, event) };
  if (entry.mute) real.close();
  for (const name of EVENTS) {
    Object.defineProperty(real, `on${name}`, {
      get: () => handlers[name] ?? null,
      set: (handler: ((event: Event) => void) | null) => (handlers[name] = handler),
    });
    real.addEventListener(name, (event) => {
      whenAwake(() => {
        if (!entry.mute) handlers[name]?.call(real, event);
      });
    });
  }
  const send = real.send.bind(real);
  real.send = (data) => {
    if (!entry.mute) send(data);
  };
  real.addEventListener("close", () => {
    if (!entry.mute) sockets = sockets.filter((other) => other !== entry);
  });
  sockets.push(entry);
  return real;
}

globalThis.WebSocket = Object.assign(
  function WebSocket(url: string | URL, protocols?: string | string[]): WebSocket {
    return open(url, protocols);
  },
  { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3, prototype: RealWebSocket.prototype },
) as unknown as typeof WebSocket;

function onceAwake(handler: TimerHandler, args: unknown[]): () => void {
  return () =>
    whenAwake(() => {
      if (typeof handler === "function") handler(...args);
    });
}

globalThis.setTimeout = ((handler: TimerHandler, millis?: number, ...args: unknown[]) =>
  realSetTimeout(onceAwake(handler, args), millis)) as typeof setTimeout;
globalThis.setInterval = ((handler: TimerHandler, millis?: number, ...args: unknown[]) => {
  const run = onceAwake(handler, args);
  return realSetInterval(() => {
    // While the page is frozen, an interval does nothing. It continues after the page resumes, without the
    // missed runs.
    if (mode !== "frozen") run();
  }, millis);
}) as typeof setInterval;
