const SVG = "http://www.w3.org/2000/svg";

/** Creates an element of a drawing. The text is untrusted, so the function sets it as text only, never as markup. */
export function element(name: string, attributes: Record<string, string | number>, text?: string): SVGElement {
  const created = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, String(value));
  if (text !== undefined) created.textContent = text;
  return created;
}
