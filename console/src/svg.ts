const SVG = "http://www.w3.org/2000/svg";

/** An element of a drawing. Its text is other people's words, so it is only ever set as text. */
export function element(name: string, attributes: Record<string, string | number>, text?: string): SVGElement {
  const created = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, String(value));
  if (text !== undefined) created.textContent = text;
  return created;
}
