/** The elector answered, but not in a way that waiting would mend: a wrong address, a wrong name, not an elector. */
export class ElectorError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = "ElectorError";
  }
}

/** This app does not lead any more, or it is not known whether it does. The reason of a leadership's signal. */
export class LeadershipLostError extends Error {
  constructor(why: string) {
    super(why);
    this.name = "LeadershipLostError";
  }
}
