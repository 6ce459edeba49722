/** What a browser tells a page about its own life. */
export interface PageEvents {
  /** The page will stand still: its timers stop although its socket may stay open. */
  frozen(): void;
  thawed(): void;
  /** The page is going away for good. */
  gone(): void;
}

/**
 * Listens to the page's life cycle; the result stops listening. Does nothing outside a browser. A page that is merely
 * hidden goes on working: if the browser slows its timers too far, its deadline ends its leadership by itself (K9).
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
