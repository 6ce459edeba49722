/**
 * Thrown if the elector's answer shows that a retry cannot help, for example because the URL or the
 * election name is wrong.
 */
export class ElectorError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = "ElectorError";
  }
}

/** The abort reason of `Leadership.signal` after this app has lost the leadership or the leader has become unknown. */
export class LeadershipLostError extends Error {
  constructor(why: string) {
    super(why);
    this.name = "LeadershipLostError";
  }
}
