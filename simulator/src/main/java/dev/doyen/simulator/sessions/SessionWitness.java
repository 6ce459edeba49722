package dev.doyen.simulator.sessions;

import dev.doyen.simulator.sessions.SessionProcess.Seat;
import dev.doyen.simulator.world.Violation;
import java.util.HashMap;
import java.util.Map;

/** Judges by true time: one leader at any instant, terms that grow, elected and lost in turns. */
final class SessionWitness {

    private final Map<Seat, Claim> claims = new HashMap<>();
    private final Map<String, Long> highestTerms = new HashMap<>();
    private final Map<Seat, Long> leading = new HashMap<>();
    private long terms;

    /** Seen at {@code now}, this seat says that it leads, and would say so until {@code until} if left alone. */
    void claims(Seat seat, long term, long now, long until) {
        claims.put(seat, new Claim(term, until));
        for (Map.Entry<Seat, Claim> other : claims.entrySet()) {
            if (other.getKey() != seat
                    && other.getKey().election().equals(seat.election())
                    && other.getValue().until > now) {
                throw new Violation(
                        "NoOverlap",
                        seat + " leads in term " + term + " while " + other.getKey() + " does in term "
                                + other.getValue().term + ", for "
                                + (Math.min(until, other.getValue().until) - now) / 1_000_000 + " ms");
            }
        }
    }

    void claimEnds(Seat seat, long now) {
        claims.computeIfPresent(seat, (who, claim) -> new Claim(claim.term, Math.min(claim.until, now)));
    }

    void elected(Seat seat, long term) {
        terms++;
        Long present = leading.put(seat, term);
        if (present != null) {
            throw new Violation("EventsAlternate", seat + " was elected twice, in terms " + present + " and " + term);
        }
        long highest = highestTerms.getOrDefault(seat.election(), 0L);
        if (term <= highest) {
            throw new Violation("TermsGrow", seat + " was elected in term " + term + " after term " + highest);
        }
        highestTerms.put(seat.election(), term);
    }

    void lost(Seat seat, long term, long workingTerm) {
        Long present = leading.remove(seat);
        if (present == null || present != term || term != workingTerm) {
            throw new Violation("EventsAlternate", seat + " lost term " + term + " but was in " + present);
        }
    }

    /** After healing: exactly one leads in each election. */
    void healed(Iterable<String> elections, long now) {
        for (String election : elections) {
            long leaders = claims.entrySet().stream()
                    .filter(claim -> claim.getKey().election().equals(election) && claim.getValue().until > now)
                    .count();
            if (leaders != 1) {
                throw new Violation("HealsWithinBound", election + " has " + leaders + " leaders long after healing");
            }
        }
    }

    long terms() {
        return terms;
    }

    private record Claim(long term, long until) {}
}
