import { find, setText } from "./find.js";

const MAX_EVENTS = 5;

/** Adds an event at the top of the event list. */
export function happen(text: string): void {
  const item = document.createElement("li");
  item.textContent = text;
  const events = find("events");
  events.prepend(item);
  while (events.childElementCount > MAX_EVENTS) events.lastElementChild?.remove();
}

/** Announces the leader to screen readers. */
export function announce(text: string): void {
  setText("announcement", text);
}

/** Reports that the page cannot start. */
export function fail(text: string): void {
  setText("state", text);
}
