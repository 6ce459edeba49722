/**
 * Thrown if an option or the elector's answer is wrong and a retry cannot help, for example if the election's name is
 * wrong.
 */
export class ElectorError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = "ElectorError";
  }
}

/**
 * The abort reason of `Leadership.signal` if this app no longer leads, if the leader has become unknown, if the watch
 * has failed, or if the app has stopped watching.
 */
export class LeadershipLostError extends Error {
  constructor(why: string) {
    super(why);
    this.name = "LeadershipLostError";
  }
}
