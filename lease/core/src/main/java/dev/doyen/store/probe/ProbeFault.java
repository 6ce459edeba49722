package dev.doyen.store.probe;

/** A fault that a probe can find in a store. The sentence is for operators. */
enum ProbeFault {
    REFUSES_THE_PRESENT("it refuses a write over the very version that it shows"),
    READS_BACK_OTHERWISE("it reads back another record, or another version, than was just written"),
    FORGETS_A_WRITE("a read does not show a write that was confirmed before the read began"),
    CREATES_TWICE("it creates a record that is already there: two candidates could both be the first"),
    SAME_VERSION_AGAIN("it gives the same record written twice the same version: a change that was undone goes unseen"),
    WRITES_OVER_STALE("it writes over a version that is no longer the present one: two leaders could both renew"),
    WRITES_OVER_NOTHING(
            "it writes over a version of a record that does not exist, as \"~probe-never\" shows: terms could start again at 1"),
    REFUSES_BUT_WRITES("it answers that a write was refused, and carries it out"),
    SHOWS_NO_RIVAL("it refuses a write without showing what it holds instead"),
    TWO_WINNERS("of several writes that raced over one version it made more than one"),
    NO_WINNER("of several writes that raced over one version it made none, and nobody else's either");

    private final String sentence;

    ProbeFault(String sentence) {
        this.sentence = sentence;
    }

    String sentence() {
        return sentence;
    }
}
