package dev.doyen.simulator.sessions;

import dev.doyen.simulator.sessions.SessionProcess.Seat;
import dev.doyen.simulator.world.Violation;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks the promises in true time.
 *
 * <p>These are: one leader at any instant, rising terms, alternating elected and lost events, and no long time without
 * a leader.
 *
 * <p>The library may catch an exception that is thrown inside it. So this class stores a violation until {@link #judge}
 * is called from outside.
 */
final class SessionWitness {

    private final Map<Seat, Claim> claims = new LinkedHashMap<>();
    private final Map<String, Claim> highest = new HashMap<>();
    private final Map<Seat, Long> told = new HashMap<>();
    private final Map<String, Long> lastLed = new HashMap<>();
    private @Nullable Violation first;
    private long terms;

    void found(String invariant, String what) {
        if (first == null) {
            first = new Violation(invariant, what);
        }
    }

    /** Throws the first {@link Violation}, if there was one. */
    void judge() {
        if (first != null) {
            throw first;
        }
    }

    /** Records that this candidate claims to lead at {@code now}, and until {@code until} if nothing happens. */
    void claims(Seat seat, long term, long now, long until) {
        Claim before = highest.get(seat.election());
        if (before == null || term > before.term) {
            terms++;
            highest.put(seat.election(), new Claim(seat, term, until));
        } else if (term < before.term || before.seat != seat) {
            found(
                    "TermsGrow",
                    seat + " leads in term " + term + " after " + before.seat + " led in term " + before.term);
        }
        claims.put(seat, new Claim(seat, term, until));
        lastLed.merge(seat.election(), until, Math::max);
        for (Claim other : claims.values()) {
            if (other.seat != seat && other.seat.election().equals(seat.election()) && other.until > now) {
                found(
                        "NoOverlap",
                        seat + " leads in term " + term + " while " + other.seat + " does in term " + other.term
                                + ", for " + (Math.min(until, other.until) - now) / 1_000_000 + " ms");
            }
        }
    }

    void claimEnds(Seat seat, long now) {
        Claim claim = claims.get(seat);
        if (claim != null && claim.until > now) {
            claims.put(seat, new Claim(seat, claim.term, now));
            if (lastLed.getOrDefault(seat.election(), 0L) == claim.until) {
                lastLed.put(seat.election(), now);
            }
        }
    }

    /** Records an elected event of a listener. */
    void elected(Seat seat, long term) {
        Long present = told.put(seat, term);
        if (present != null) {
            found("EventsAlternate", seat + " was elected twice, in terms " + present + " and " + term);
        }
    }

    /** Records a lost event of a listener. */
    void lost(Seat seat) {
        if (told.remove(seat) == null) {
            found("EventsAlternate", seat + " lost a term that had not begun");
        }
    }

    /** Starts to count the time without a leader at {@code now}. */
    void countAnew(String election, long now) {
        lastLed.merge(election, now, Math::max);
    }

    /** Throws a {@link Violation} if this election has had no leader for more than {@code most} nanoseconds. */
    void led(String election, long now, long most) {
        long since = lastLed.getOrDefault(election, 0L);
        if (now - since > most) {
            found(
                    "HealthyElectionIsLed",
                    election + " has had no leader for " + (now - since) / 1_000_000
                            + " ms, though a healthy candidate stands in it");
        }
        judge();
    }

    long terms() {
        return terms;
    }

    private record Claim(Seat seat, long term, long until) {}
}
