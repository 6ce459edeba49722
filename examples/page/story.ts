import { find, say } from "./find.js";

const MAX_EVENTS = 5;

/** What just happened goes to the head of the event line. */
export function happen(text: string): void {
  const item = document.createElement("li");
  item.textContent = text;
  const events = find("events");
  events.prepend(item);
  while (events.childElementCount > MAX_EVENTS) events.lastElementChild?.remove();
}

/** For readers of the screen: who leads now. */
export function announce(text: string): void {
  say("announcement", text);
}

/** This page cannot begin. */
export function fail(text: string): void {
  say("state", text);
}
