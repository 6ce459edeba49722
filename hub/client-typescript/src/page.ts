/** Events in the life of a page, from the browser. */
export interface PageEvents {
  /** The page is about to freeze. Its timers stop, although its socket may stay open. */
  frozen(): void;
  thawed(): void;
  /** The page goes away for good. */
  gone(): void;
}

/**
 * Listens to the page's life cycle, and returns a function that stops it. Does nothing outside a browser.
 *
 * A hidden page goes on. If the browser slows its timers too much, its deadline ends its leadership (K9).
 */
export function watchPage(events: PageEvents): () => void {
  if (typeof document === "undefined" || typeof window === "undefined") return () => {};
  const hide = (event: PageTransitionEvent) => (event.persisted ? events.frozen() : events.gone());
  const show = (event: PageTransitionEvent) => {
    if (event.persisted) events.thawed();
  };
  const freeze = () => events.frozen();
  const resume = () => events.thawed();
  document.addEventListener("freeze", freeze);
  document.addEventListener("resume", resume);
  window.addEventListener("pagehide", hide);
  window.addEventListener("pageshow", show);
  return () => {
    document.removeEventListener("freeze", freeze);
    document.removeEventListener("resume", resume);
    window.removeEventListener("pagehide", hide);
    window.removeEventListener("pageshow", show);
  };
}
