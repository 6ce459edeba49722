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

    /** The next claim's: beyond the last term others would take it for nonsense (K3), and nobody could lead. */
    long next() {
        return Math.min(max, PresenceData.MAX_TERM - 1) + 1;
    }

    /** Whether it may be led in: above the last one led, or the last there is, where nobody grants any. */
    boolean mayLead(long term) {
        return term > lastLed || (term == PresenceData.MAX_TERM && !exclusive);
    }
}
