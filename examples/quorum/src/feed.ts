import { events } from "../../../elector/console-page/src/feed.js";
import type { State } from "./state.js";

const RETRY_MILLIS = 1_000;

export interface Listener {
  state(state: State): void;
  /**
   * Reports that the stream could not be opened or has ended. `sentence` contains the reason. The next attempt follows
   * automatically.
   */
  broken(sentence: string): void;
}

/** Reads the state while the page is open, and reconnects after `RETRY_MILLIS`. */
export async function follow(listener: Listener): Promise<never> {
  for (;;) {
    try {
      const answer = await fetch("events", { cache: "no-store" });
      if (answer.ok && answer.body !== null) {
        await events(answer.body.pipeThrough(new TextDecoderStream()), (data) =>
          listener.state(JSON.parse(data) as State),
        );
        listener.broken("The demo has ended.");
      } else {
        listener.broken(await answer.text());
      }
    } catch {
      listener.broken("The demo does not answer. Start it again: ./doyen demo --quorum");
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MILLIS));
  }
}
