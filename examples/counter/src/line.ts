/**
 * The page's line to the world, which the visitor may freeze or cut to see what an election does about it. It wraps
 * the timers and WebSocket that everything else on the page uses, so it must be imported before the `ably` package,
 * which takes both when it loads. The view keeps the real timers: a frozen page still has to show that it is frozen.
 */

type Mode = "open" | "frozen" | "cut";

const RealWebSocket = globalThis.WebSocket;
const realSetTimeout = globalThis.setTimeout.bind(globalThis);
const realSetInterval = globalThis.setInterval.bind(globalThis);
const EVENTS = ["open", "message", "close", "error"] as const;
/** What a frozen page can still take in; a real one would lose its connection too if it fell further behind. */
const MAX_HELD = 10_000;

let mode: Mode = "open";
let held: (() => void)[] = [];
let sockets: { readonly real: WebSocket; mute: boolean; tell: (event: CloseEvent) => void }[] = [];

/** For the view: runs on while the page is frozen. */
export const viewTimers = { setTimeout: realSetTimeout, setInterval: realSetInterval };

export function lineMode(): Mode {
  return mode;
}

/** Stops this page's timers and holds back what its sockets hear, as a browser does with a page it freezes. */
export function freeze(): void {
  if (mode === "open") mode = "frozen";
}

/** Everything that was due happens now, in order. */
export function wake(): void {
  if (mode !== "frozen") return;
  mode = "open";
  const due = held;
  held = [];
  for (const run of due) run();
}

/** Drops the socket without a word: no CLOSE, no leave. The page itself hears nothing of it either. */
export function cut(): void {
  if (mode !== "open") return;
  mode = "cut";
  for (const socket of sockets) {
    socket.mute = true;
    socket.real.close();
  }
}

/** The line is back, and the SDK is told that its socket was lost. */
export function mend(): void {
  if (mode !== "cut") return;
  mode = "open";
  const lost = sockets;
  sockets = [];
  for (const socket of lost) socket.tell(new CloseEvent("close", { code: 1006, wasClean: false }));
}

function whenAwake(run: () => void): void {
  if (mode !== "frozen") run();
  else if (held.length < MAX_HELD) held.push(run);
}

function open(url: string | URL, protocols?: string | string[]): WebSocket {
  const real = new RealWebSocket(url, protocols);
  const handlers: Partial<Record<(typeof EVENTS)[number], ((event: Event) => void) | null>> = {};
  const entry = { real, mute: mode === "cut", tell: (event: CloseEvent) => handlers.close?.call(real, event) };
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
    // A frozen page's interval is due once when it wakes, not once for each time it was missed.
    if (mode !== "frozen") run();
  }, millis);
}) as typeof setInterval;
