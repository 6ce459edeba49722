import { hueOf } from "./lanes.js";
import { LABELS, type AdminCommand } from "./commands.js";

/** Creates an element. Ids and messages come from others, so they are set as text only, never as HTML. */
export function create(tag: string, className: string, text?: string): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

/** A label for a member, in a colour derived from its id. */
export function chip(id: string, leads: boolean): HTMLElement {
  const made = create("span", leads ? "chip leads" : "chip", id);
  made.style.setProperty("--hue", String(hueOf(id)));
  return made;
}

export function note(text: string): HTMLElement {
  return create("li", "note", text);
}

/** A button that asks for the command. */
export function commandButton(command: AdminCommand, wanted: (command: AdminCommand) => void): HTMLElement {
  const button = create("button", command.verb, LABELS[command.verb]);
  button.setAttribute("type", "button");
  button.setAttribute("aria-label", `${LABELS[command.verb]}: ${command.election.name}`);
  button.addEventListener("click", () => wanted(command));
  return button;
}

/** Sets the texts of the elements `prefix-id`, where they differ. */
export function showTexts(prefix: string, texts: Readonly<Record<string, string>>): void {
  for (const [id, text] of Object.entries(texts)) {
    const shown = document.getElementById(`${prefix}-${id}`);
    if (shown !== null && shown.textContent !== text) shown.textContent = text;
  }
}
