/** The events of a page's life cycle, as the browser reports them. */
export interface PageEvents {
  /** Called when the page is about to freeze. The timers of a frozen page stop, although its socket can stay open. */
  readonly frozen: () => void;
  readonly thawed: () => void;
  /** Called when the page ends and will not return. */
  readonly gone: () => void;
}

/**
 * Listens to the page's life cycle. Returns a function that stops listening. Does nothing outside a browser.
 *
 * A hidden page continues to lead. If the browser slows the timers of the page too much, the deadline ends the
 * leadership (K9).
 */
export function watchPage(events: PageEvents): () => void {
  if (typeof document === "undefined" || typeof window === "undefined") return () => {};
  const hide = (event: PageTransitionEvent) => (event.persisted ? events.frozen() : events.gone());
  const show = (event: PageTransitionEvent) => {
    if (event.persisted) events.thawed();
  };
  const end = new AbortController();
  const { signal } = end;
  document.addEventListener("freeze", events.frozen, { signal });
  document.addEventListener("resume", events.thawed, { signal });
  window.addEventListener("pagehide", hide, { signal });
  window.addEventListener("pageshow", show, { signal });
  return () => end.abort();
}
