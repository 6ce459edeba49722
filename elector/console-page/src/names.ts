/** Returns the readable part of the id of a page of the demo: two words. Every other id is returned unchanged. */
export function displayName(id: string): string {
  const own = /^([a-z]+)-([a-z]+)-[0-9a-f]{16}$/.exec(id);
  return own === null ? id : `${own[1]} ${own[2]}`;
}

/** Replaces the ids of pages of the demo in a text by their display names. */
export function withNames(text: string): string {
  return text.replace(/\b([a-z]+)-([a-z]+)-[0-9a-f]{16}\b/g, "$1 $2");
}

/** Returns the ids by their display names. An id whose display name is not unique keeps its own text as the name. */
export function idsByName(ids: readonly string[]): Map<string, string> {
  const unique = (name: string): boolean => ids.filter((id) => displayName(id) === name).length === 1;
  return new Map(ids.map((id) => [unique(displayName(id)) ? displayName(id) : id, id]));
}

/** The range of hues, in degrees of OKLCH. The hues around 85 are left out, because gold marks the leader. */
const FIRST_HUE = 115;
const HUES = 300;

/** Returns the hue for an id. The hue is the same in every tab, on every page and in the console. */
export function hueOf(id: string): number {
  let value = 2166136261;
  for (let i = 0; i < id.length; i++) value = Math.imul(value ^ id.charCodeAt(i), 16777619);
  // Consecutive ids differ only in the last character. These steps distribute the difference over all bits.
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (FIRST_HUE + (((value ^ (value >>> 16)) >>> 0) % HUES)) % 360;
}
