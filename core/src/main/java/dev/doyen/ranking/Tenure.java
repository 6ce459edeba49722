package dev.doyen.ranking;

import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import java.time.Duration;

/**
 * The present claim, from its writing to its end, and its deadline (rules K9, K10).
 *
 * @param seq the number of the write that claimed
 * @param term that was claimed
 * @param ledTerm the term led in since the echo was heard (rule K8); 0 before that
 * @param proof when the last answered ping, or the claim itself, was <em>sent</em>
 * @param safe how long a proof is trusted: 0.8 ttl. The rest is for clocks that run at different rates.
 * @param nextPingAtNanos when the next ping is due
 */
record Tenure(long seq, long term, long ledTerm, Moment proof, Duration safe, long nextPingAtNanos) {

    /** When the wall clock ran so much further than the monotonic one, the machine stood still. */
    private static final long SUSPENSION_MILLIS = 1000;

    private static final long NANOS_PER_MILLI = 1_000_000;

    static Duration safePart(Duration ttl) {
        return ttl.multipliedBy(4).dividedBy(5);
    }

    static Duration pingPeriod(Duration ttl) {
        return ttl.dividedBy(4);
    }

    boolean leads() {
        return ledTerm != 0;
    }

    /** Until either clock says that the proof is too old. */
    Duration remainingAt(Moment now) {
        Duration monotonic = safe.minusNanos(now.nanosSince(proof));
        Duration wall = safe.minusMillis(now.wallMillisSince(proof));
        Duration least = monotonic.compareTo(wall) < 0 ? monotonic : wall;
        return least.isNegative() ? Duration.ZERO : least;
    }

    LossCause whyOver(Moment now) {
        long further = now.wallMillisSince(proof) - now.nanosSince(proof) / NANOS_PER_MILLI;
        return further > SUSPENSION_MILLIS ? LossCause.SUSPENDED : LossCause.EXPIRED;
    }

    Tenure leading(long termLed) {
        return new Tenure(seq, term, termLed, proof, safe, nextPingAtNanos);
    }

    Tenure provenAt(Moment sent) {
        return new Tenure(seq, term, ledTerm, sent, safe, nextPingAtNanos);
    }

    Tenure pingingNextAt(long nanos) {
        return new Tenure(seq, term, ledTerm, proof, safe, nanos);
    }
}
