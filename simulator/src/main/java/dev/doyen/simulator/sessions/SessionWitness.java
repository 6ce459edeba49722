package dev.doyen.simulator.sessions;

import dev.doyen.simulator.sessions.SessionProcess.Seat;
import dev.doyen.simulator.world.Violation;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Judges by true time: one leader at any instant, terms that grow, elected and lost in turns, and no election that is
 * without a leader for long.
 *
 * <p>The library may catch what is thrown inside it, so a violation is kept until {@link #judge} is called outside.
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

    /** Seen at {@code now}, this seat says that it leads, and would say so until {@code until} if left alone. */
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

    /** A listener was told that the term began. */
    void elected(Seat seat, long term) {
        Long present = told.put(seat, term);
        if (present != null) {
            found("EventsAlternate", seat + " was elected twice, in terms " + present + " and " + term);
        }
    }

    /** A listener was told that its term is over. */
    void lost(Seat seat) {
        if (told.remove(seat) == null) {
            found("EventsAlternate", seat + " lost a term that had not begun");
        }
    }

    /** From {@code now} on, the time without a leader counts anew. */
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
