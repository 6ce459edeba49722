import type { Mode } from "./line.js";

/** Labels the button that cuts the connection and the button that freezes the page. A second click undoes the action. */
export function labelLineButtons(kill: HTMLButtonElement, freeze: HTMLButtonElement, mode: Mode): void {
  if (mode === "cut") label(kill, "Reconnect", "connect again");
  else label(kill, "Kill", "cut the connection");
  if (mode === "frozen") label(freeze, "Wake", "run this page again");
  else label(freeze, "Freeze", "stop this page for a while");
}

/** Sets the title and the hint of a button. The function changes only texts that differ. */
export function label(button: HTMLButtonElement, title: string, hint: string): void {
  const [strong, small] = button.children;
  if (strong !== undefined && strong.textContent !== title) strong.textContent = title;
  if (small !== undefined && small.textContent !== hint) small.textContent = hint;
}
