/** The maximum number of stored ids. It is more than twice the maximum of `rewind` (100). */
const MOST = 256;

/** Stores message ids. A message that the next connection repeats is therefore delivered only once. */
export class Seen {
  private readonly ids = new Set<string>();

  /** Returns true if this id is new. A message without an id is always new. */
  add(id: string | undefined): boolean {
    if (id === undefined || id === "") return true;
    if (this.ids.has(id)) return false;
    this.ids.add(id);
    if (this.ids.size > MOST) {
      for (const oldest of this.ids) {
        this.ids.delete(oldest);
        break;
      }
    }
    return true;
  }
}
