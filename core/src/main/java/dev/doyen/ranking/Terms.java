package dev.doyen.ranking;

/** The terms that were seen, and that they only rise (rule K6). */
final class Terms {

    /** This hub grants claims to one member at a time: then what members write about terms is only talk. */
    boolean exclusive;

    long max;
    long lastLed;

    Terms(RankingState state) {
        exclusive = state.exclusive;
        max = state.maxTerm;
        lastLed = state.lastLedTerm;
    }

    void observe(Member member) {
        exclusive |= member.stamped().isPresent();
        if (member.stamped().isPresent() || !exclusive) {
            observe(member.termOfClaim());
        }
    }

    void observe(long term) {
        max = Math.max(max, term);
    }

    long next() {
        return max + 1;
    }

    boolean rises(long term) {
        return term > lastLed;
    }
}
