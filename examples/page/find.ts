/** Returns the page's element with this id. Throws if the page has no such element. */
export function find<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element "${id}"`);
  return found as T;
}

/** Sets an element's text only if the text differs, because a screen reader announces each assignment. */
export function setText(id: string, text: string): void {
  const element = find(id);
  if (element.textContent !== text) element.textContent = text;
}
