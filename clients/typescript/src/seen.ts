/** More than twice what a channel can be asked to repeat (`rewind`, at most 100). */
const MOST = 256;

/** Remembers which messages were heard, so that those repeated at a change of the connection come once. */
export class Seen {
  private readonly ids = new Set<string>();

  /** Whether this id is new; one without an id always is. */
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
