package dev.doyen.simulator.sessions;

import dev.doyen.event.LossCause;
import dev.doyen.simulator.sessions.SessionProcess.SessionCandidate;
import dev.doyen.simulator.world.Agenda;
import dev.doyen.simulator.world.Trace;
import dev.doyen.simulator.world.Violation;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks the promises for whole processes in true time.
 *
 * <p>These promises are at most one leader of an election at any instant, rising terms, alternating elected and lost
 * events, and no long time without a leader.
 *
 * <p>The library can catch an exception that a callback throws. So this class stores a violation until the simulation
 * calls {@link #judge}.
 */
final class SessionWitness {

    private final Agenda agenda;
    private final Trace trace;
    private final Map<SessionCandidate, Claim> claims = new LinkedHashMap<>();
    private final Map<String, Claim> highest = new HashMap<>();
    private final Map<SessionCandidate, Long> electedTerms = new HashMap<>();
    private final Map<String, Long> lastLed = new HashMap<>();
    private @Nullable Violation first;
    private long terms;

    SessionWitness(Agenda agenda, Trace trace) {
        this.agenda = agenda;
        this.trace = trace;
    }

    void found(String invariant, String what) {
        if (first == null) {
            first = new Violation(invariant, what);
        }
    }

    /** Throws the first {@link Violation} if one was found. */
    void judge() {
        if (first != null) {
            throw first;
        }
    }

    /**
     * Records that this candidate claims to lead from {@code now} to {@code until}.
     *
     * <p>A later event can end the claim earlier.
     */
    void claims(SessionCandidate candidate, long term, long now, long until) {
        Claim before = highest.get(candidate.election());
        if (before == null || term > before.term) {
            terms++;
            highest.put(candidate.election(), new Claim(candidate, term, until));
        } else if (term < before.term || before.candidate != candidate) {
            found(
                    "TermsGrow",
                    candidate + " leads in term " + term + " after " + before.candidate + " led in term "
                            + before.term);
        }
        claims.put(candidate, new Claim(candidate, term, until));
        lastLed.merge(candidate.election(), until, Math::max);
        for (Claim other : claims.values()) {
            if (other.candidate != candidate
                    && other.candidate.election().equals(candidate.election())
                    && other.until > now) {
                found(
                        "NoOverlap",
                        candidate + " leads in term " + term + " while " + other.candidate + " leads in term "
                                + other.term + ", for " + (Math.min(until, other.until) - now) / 1_000_000 + " ms");
            }
        }
    }

    void claimEnds(SessionCandidate candidate, long now) {
        Claim claim = claims.get(candidate);
        if (claim != null && claim.until > now) {
            claims.put(candidate, new Claim(candidate, claim.term, now));
            if (lastLed.getOrDefault(candidate.election(), 0L) == claim.until) {
                lastLed.put(candidate.election(), now);
            }
        }
    }

    /** Records that a listener of this candidate has received the event elected. */
    void elected(SessionCandidate candidate, long term) {
        trace(candidate, "elected in term " + term);
        Long present = electedTerms.put(candidate, term);
        if (present != null) {
            found("EventsAlternate", candidate + " was elected twice, in terms " + present + " and " + term);
        }
    }

    /** Records that a listener of this candidate has received the event lost. */
    void lost(SessionCandidate candidate, LossCause cause) {
        trace(candidate, "lost: " + cause);
        if (electedTerms.remove(candidate) == null) {
            found("EventsAlternate", candidate + " lost a term that had not begun");
        }
    }

    /** Restarts the measurement of the time without a leader; the new measurement begins at {@code now}. */
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
                            + " ms, although a healthy candidate campaigns in it");
        }
        judge();
    }

    private void trace(SessionCandidate candidate, String event) {
        if (trace.isOn()) {
            trace.line(agenda.now(), candidate.toString(), event);
        }
    }

    long terms() {
        return terms;
    }

    private record Claim(SessionCandidate candidate, long term, long until) {}
}
