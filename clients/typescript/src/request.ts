import { ElectorError } from "./errors.js";
import { MAX_LINE } from "./event-stream.js";
import { leaderIn, type Leader } from "./leader.js";
import { messageOf } from "./outages.js";
import { TOO_LATE, within, type Platform } from "./platform.js";
import type { Settings } from "./settings.js";

/**
 * Requests the current leader once, and throws if no valid answer arrives within `millis`.
 *
 * An answer that this process reads later is not valid, because the process may have been suspended since.
 */
export async function requestLeader(platform: Platform, settings: Settings, url: URL, millis: number): Promise<Leader> {
  const stop = new AbortController();
  const until = platform.now() + millis;
  try {
    const answer = await within(platform, millis, read(platform, settings, url, stop.signal));
    if (answer !== TOO_LATE && platform.now() <= until) return answer;
    throw tooLate(url, millis);
  } catch (failure) {
    if (failure instanceof ElectorError) throw failure;
    throw new Error(messageOf(failure, url), { cause: failure });
  } finally {
    // The abort also cancels a body that was not read to its end.
    stop.abort();
  }
}

async function read(platform: Platform, settings: Settings, url: URL, signal: AbortSignal): Promise<Leader> {
  const response = await platform.fetch(url, { headers: { Accept: "application/json" }, signal });
  if (!response.ok) throw refused(response.status, url);
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  let text = "";
  for (;;) {
    const piece = await reader?.read();
    if (piece === undefined || piece.done) return leaderIn(text, settings.name);
    text += decoder.decode(piece.value, { stream: true });
    if (text.length > MAX_LINE) throw new ElectorError(`the answer at ${url} has more than ${MAX_LINE} characters`);
  }
}

/** Returns the error for an answer that did not arrive within `millis`. */
export function tooLate(url: URL, millis: number): Error {
  return new Error(`the elector at ${url} did not answer within ${Math.round(millis)} ms`);
}

/** Converts a status other than 200 to an error. The error is an `ElectorError` if a retry would not help. */
export function refused(status: number, url: URL): Error {
  const sentence = `the elector at ${url} answered with status ${status}`;
  const forGood = status >= 400 && status < 500 && ![408, 425, 429].includes(status);
  return forGood
    ? new ElectorError(`${sentence}; check the address and the name of the election`)
    : new Error(sentence);
}
