/** The page's own element of this id. Throws if the page and its script do not belong together. */
export function find<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element "${id}"`);
  return found as T;
}

/** Sets the text of the element of this id, unless it is there already: a reader of the screen hears each change. */
export function say(id: string, text: string): void {
  const element = find(id);
  if (element.textContent !== text) element.textContent = text;
}
