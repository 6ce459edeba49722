import { displayName, hueOf } from "./names.js";
import { LABELS, type AdminCommand } from "./commands.js";

/** Creates an element. Ids and messages are untrusted, so the function sets them as text only, never as HTML. */
export function create(tag: string, className: string, text?: string): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

/** Creates a label for a member, with its whole id as the tooltip. The colour is derived from the id. */
export function chip(id: string, leads: boolean): HTMLElement {
  const made = create("span", leads ? "chip leads" : "chip", displayName(id));
  made.title = id;
  made.style.setProperty("--hue", String(hueOf(id)));
  return made;
}

export function note(text: string): HTMLElement {
  return create("li", "note", text);
}

/**
 * Replaces the children of a list. If the focused button of the list is replaced, the new button with the same label
 * gets the focus, so that a user of the keyboard stays in the list.
 */
export function replaceChildren(list: HTMLElement, children: readonly HTMLElement[]): void {
  const focused = document.activeElement;
  const label = list.contains(focused) ? focused?.getAttribute("aria-label") : null;
  list.replaceChildren(...children);
  if (typeof label !== "string") return;
  const buttons = [...list.querySelectorAll<HTMLElement>("button")];
  buttons.find((button) => button.getAttribute("aria-label") === label)?.focus({ preventScroll: true });
}

/** Creates a button. A click calls `onCommand` with the command. */
export function commandButton(command: AdminCommand, onCommand: (command: AdminCommand) => void): HTMLElement {
  const button = create("button", command.verb, LABELS[command.verb]);
  button.setAttribute("type", "button");
  button.setAttribute("aria-label", `${LABELS[command.verb]}: ${command.election.name}`);
  button.addEventListener("click", () => onCommand(command));
  return button;
}

/** Sets the texts of the elements `prefix-id`. The function changes only texts that differ. */
export function showTexts(prefix: string, texts: Readonly<Record<string, string>>): void {
  for (const [id, text] of Object.entries(texts)) {
    const shown = document.getElementById(`${prefix}-${id}`);
    if (shown !== null && shown.textContent !== text) shown.textContent = text;
  }
}
