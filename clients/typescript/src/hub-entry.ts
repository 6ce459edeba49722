import type { HubSeat } from "./hub-seat.js";

/** A member's entry in the presence set of its channel, whose data stays the same: what was asked of it last. */
export class HubEntry {
  /** Settles when the last try to enter was answered. */
  tried: Promise<void> = Promise.resolve();
  private readonly seat: HubSeat;
  private readonly data: object;
  private readonly onError: (error: unknown) => void;
  /** Whether it is there, or about to be. */
  private there = false;
  private over = false;

  constructor(seat: HubSeat, data: object, onError: (error: unknown) => void) {
    this.seat = seat;
    this.data = data;
    this.onError = onError;
  }

  /** Once: after another connection the SDK enters again by itself, with the same data. What was refused may be tried again. */
  enter(): void {
    if (this.there || this.over || !this.seat.isOpen) return;
    const tried = this.seat.channel.presence.enter(this.data);
    this.there = true;
    this.tried = tried;
    tried.catch((error: unknown) => {
      if (this.tried === tried) this.there = false;
      this.onError(error);
    });
  }

  /** The SDK may have failed to enter again. If it has not, the hub hears the same once more. */
  again(): void {
    if (!this.there) return;
    this.there = false;
    this.enter();
  }

  /** Settles when the hub has answered. Not being able to leave is no news: the connection is gone, and the hub will notice. */
  async leave(): Promise<void> {
    if (!this.there) return;
    this.there = false;
    await this.seat.channel.presence.leave().catch(() => {});
  }

  /** Leaves for good. */
  end(): Promise<void> {
    this.over = true;
    return this.leave();
  }
}
