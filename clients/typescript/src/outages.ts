/**
 * Logs when an address of the elector begins to fail and when it answers again, and nothing in between.
 *
 * All calls of an `Elector` share one object, so a repeated call does not repeat a message.
 */
export class Outages {
  private readonly failing = new Set<string>();
  private readonly log: (message: string) => void;

  constructor(log: (message: string) => void) {
    this.log = (message) => {
      try {
        log(message);
      } catch {
        // A log that throws must not end a watch.
      }
    };
  }

  failed(url: URL, failure: unknown): void {
    if (this.failing.has(url.href)) return;
    this.failing.add(url.href);
    this.log(messageOf(failure, url));
  }

  answered(url: URL): void {
    if (this.failing.delete(url.href)) this.log(`the elector at ${url} answers again`);
  }
}

/** Returns the message of a failure. If the message contains no address, adds the address and the remedy. */
export function messageOf(failure: unknown, url: URL): string {
  const { message, cause } = failure as { message?: string; cause?: { message?: string; code?: string } };
  // The message of a watch can contain another address, because a watch also sends requests.
  if (message?.startsWith("the elector at ") || message?.includes(url.href)) return message;
  const reason = cause?.message || cause?.code || message || String(failure);
  return `the elector at ${url} gave no valid answer: ${reason}; check the address and that the elector runs`;
}
