/** One event of a stream. `id` is the last id received so far, or `""` if no event had an id. */
export interface StreamEvent {
  readonly type: string;
  readonly data: string;
  readonly id: string;
}

/**
 * The maximum length of a line and of an event's data, in characters. The elector sends fewer than
 * 2,000 characters.
 */
export const MAX_LINE = 65_536;

/**
 * A parser for `text/event-stream` (HTML standard). Its input may arrive in pieces of any size. The parser has no
 * I/O and no clock.
 *
 * The parser throws a `RangeError` if a line or an event is longer than `MAX_LINE`. The stream cannot be read
 * further after this error.
 */
export class EventStreamParser {
  /** The server's last `retry:`, in milliseconds; undefined until the server sends one. */
  retryMillis: number | undefined;
  /** The number of received comments. A server sends comments as heartbeats. */
  comments = 0;
  private readonly decoder = new TextDecoder();
  private rest = "";
  private afterReturn = false;
  private type = "";
  private data: string[] = [];
  private length = 0;
  private id: string;

  /** Creates a parser. `lastId` is the last event id of the previous connection. */
  constructor(lastId = "") {
    this.id = lastId;
  }

  /** Returns the events that end in this piece. */
  feed(piece: Uint8Array): StreamEvent[] {
    let text = this.decoder.decode(piece, { stream: true });
    // The previous piece ended with CR. An LF at the start of this piece belongs to that CR.
    if (this.afterReturn && text.startsWith("\n")) {
      text = text.slice(1);
      this.afterReturn = false;
    }
    if (text !== "") this.afterReturn = text.endsWith("\r");
    const lines = (this.rest + text).split(/\r\n|\r|\n/);
    this.rest = lines.pop() ?? "";
    const events: StreamEvent[] = [];
    for (const line of lines) this.line(line, events);
    bounded(this.rest.length, "a line");
    return events;
  }

  private line(line: string, events: StreamEvent[]): void {
    bounded(line.length, "a line");
    if (line === "") {
      if (this.data.length > 0) {
        events.push({ type: this.type || "message", data: this.data.join("\n"), id: this.id });
      }
      this.type = "";
      this.data = [];
      this.length = 0;
      return;
    }
    const colon = line.indexOf(":");
    if (colon === 0) {
      this.comments++;
      return;
    }
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") {
      this.length += value.length + 1;
      bounded(this.length, "an event");
      this.data.push(value);
    } else if (name === "event") {
      this.type = value;
    } else if (name === "id") {
      if (!value.includes("\0")) this.id = value;
    } else if (name === "retry" && /^\d{1,9}$/.test(value)) {
      this.retryMillis = Number(value);
    }
  }
}

function bounded(length: number, what: string): void {
  if (length > MAX_LINE) throw new RangeError(`${what} of the stream has more than ${MAX_LINE} characters`);
}
