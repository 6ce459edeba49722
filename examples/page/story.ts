import { find, say } from "./find.js";

const MAX_EVENTS = 5;

/** Adds what has happened at the top of the event list. */
export function happen(text: string): void {
  const item = document.createElement("li");
  item.textContent = text;
  const events = find("events");
  events.prepend(item);
  while (events.childElementCount > MAX_EVENTS) events.lastElementChild?.remove();
}

/** Announces the leader to screen readers. */
export function announce(text: string): void {
  say("announcement", text);
}

/** Reports that the page cannot start. */
export function fail(text: string): void {
  say("state", text);
}
