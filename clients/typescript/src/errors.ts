/** An answer of the elector that a retry does not fix, such as for a wrong URL or election name. */
export class ElectorError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = "ElectorError";
  }
}

/** This app no longer leads, or its state is unknown. It is the abort reason of `Leadership.signal`. */
export class LeadershipLostError extends Error {
  constructor(why: string) {
    super(why);
    this.name = "LeadershipLostError";
  }
}
