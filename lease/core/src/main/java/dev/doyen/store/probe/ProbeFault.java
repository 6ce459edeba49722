package dev.doyen.store.probe;

/** A fault that a probe can find in a store. Each fault has a sentence that describes it to operators. */
enum ProbeFault {
    REFUSES_THE_PRESENT("it rejects a write over the version that it returned"),
    READS_BACK_OTHERWISE("it returns another record, or another version, than the one just written"),
    FORGETS_A_WRITE("a read does not show a write that was confirmed before the read began"),
    CREATES_TWICE("it creates a record that exists already: two candidates could both acquire the first term"),
    SAME_VERSION_AGAIN(
            "it gives the same record written twice the same version: a change that was undone is not detected"),
    WRITES_OVER_STALE("it writes over a version that is not the current one: two leaders could both renew"),
    WRITES_OVER_NOTHING(
            "it writes over a version of a record that does not exist, as \"~probe-never\" shows: terms could start"
                    + " again at 1"),
    REFUSES_BUT_WRITES("it reports that a write was rejected, and carries it out"),
    SHOWS_NO_RIVAL("it rejects a write without returning the current record"),
    TWO_WINNERS("it accepted more than one of several concurrent writes over one version"),
    NO_WINNER("it accepted none of several concurrent writes over one version, and no other write either");

    private final String sentence;

    ProbeFault(String sentence) {
        this.sentence = sentence;
    }

    String sentence() {
        return sentence;
    }
}
