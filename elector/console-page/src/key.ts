const FRAGMENT = /^#key=([A-Za-z0-9_.~-]+)$/;

/**
 * Returns the admin key from the address `.../#key=KEY` that the program printed, or from the state of this history
 * entry. Returns null if neither contains a key.
 *
 * The function removes the key from the address bar, so that a copied address does not contain the key. The function
 * stores the key in the state of this history entry, so the page has the key again after a reload.
 */
export function keyFromAddress(
  location: Pick<Location, "hash" | "pathname" | "search">,
  history: Pick<History, "state" | "replaceState">,
): string | null {
  const found = FRAGMENT.exec(location.hash)?.[1];
  if (found !== undefined) {
    history.replaceState({ key: found }, "", location.pathname + location.search);
    return found;
  }
  const kept = (history.state as { key?: unknown } | null)?.key;
  return typeof kept === "string" ? kept : null;
}
