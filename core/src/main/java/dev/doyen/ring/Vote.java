package dev.doyen.ring;

import org.jspecify.annotations.Nullable;

/**
 * What one voter has promised (rules Q3 to Q5).
 *
 * @param promised the greatest term it has promised, or is about to; it promises nothing lower or of another in the same number
 * @param kept the greatest promise that it will know after a restart; only that is granted
 * @param writing whether the promise is on its way to where it is kept
 * @param waiting the lap that the grant is to go with, once the promise is kept
 * @param over a term whose leader has said that it has stopped: no lap of it is granted any more
 * @param waitsUntilNanos before this, since its start, it promises nothing: what it granted before may still hold
 * @param boundUntilNanos before this its last grant holds
 */
record Vote(
        Term promised,
        Term kept,
        boolean writing,
        RingMessage.@Nullable OfLeader waiting,
        Term over,
        long waitsUntilNanos,
        long boundUntilNanos) {

    /** At the start: what was kept, and nothing for another before what it may have granted is over. */
    static Vote begin(Term kept, long waitsUntilNanos) {
        return new Vote(kept, kept, false, null, Term.NONE, waitsUntilNanos, waitsUntilNanos);
    }

    Vote promising(Term term, RingMessage.OfLeader lap) {
        return new Vote(term, kept, true, lap, over, waitsUntilNanos, boundUntilNanos);
    }

    Vote notWaiting() {
        return new Vote(promised, kept, writing, null, over, waitsUntilNanos, boundUntilNanos);
    }

    /** The writing has come to an end. */
    Vote written(boolean isKept) {
        return new Vote(promised, isKept ? promised : kept, false, null, over, waitsUntilNanos, boundUntilNanos);
    }

    Vote granting(long untilNanos) {
        return new Vote(promised, kept, writing, waiting, over, waitsUntilNanos, untilNanos);
    }

    /** The leader of that term has stopped. */
    Vote released(Term term, long nowNanos) {
        return new Vote(promised, kept, writing, waiting, term, waitsUntilNanos, nowNanos);
    }
}
