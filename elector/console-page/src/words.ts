import { withNames } from "./names.js";

/** Starts the text with a capital letter and ends it with a full stop. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}.`.replace(/\.\.$/, ".");
}

/** Turns an error message of the hub into sentences with the names that the pages show. */
export function inPlainWords(message: string): string {
  const text = withNames(message);
  const [, written, relation, seen] = /^fence (\d+) ([<>]) (\d+)/.exec(text) ?? [];
  if (written !== undefined) {
    const past = relation === "<" ? `had already seen term ${seen}` : `has only reached term ${seen}`;
    return `Its write carried term ${written}. The channel ${past}, so the hub rejected it.`;
  }
  const [, fence, reason] = /^fence (\d+): (.+)$/s.exec(text) ?? [];
  return sentence(fence === undefined ? text : `Its write carried term ${fence}, but ${reason}`);
}
