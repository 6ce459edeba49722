package dev.doyen.store;

import dev.doyen.event.LossCause;
import dev.doyen.text.ElectionNames;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Notes that the participants of an election leave in its record. Safety does not depend on them.
 *
 * @param priority the holder's priority, 0 to 100; a candidate of higher priority may ask the holder to hand over
 *     (rule M5)
 * @param generation the holder's generation, 0 to {@value #MAX_GENERATION}; 0 if the holder states none. A candidate of
 *     a higher generation asks the holder to hand over (rule M8)
 * @param stepDown a request to the present holder to step down (rule M4)
 * @param pause the pause of the election; while the record contains a pause, no candidate may lead (rule M1)
 * @param successor the successor that the last holder has named (rule M2)
 * @param past the last terms that have ended, the latest first, at most {@value #MAX_PAST}
 */
public record LeaseNotes(
        int priority,
        long generation,
        Optional<StepDownRequest> stepDown,
        Optional<Pause> pause,
        Optional<Successor> successor,
        List<PastTerm> past) {

    public static final int MAX_PRIORITY = 100;
    public static final int MAX_PAST = 20;

    /** The highest generation, 2^53 - 1, because JavaScript represents integers exactly only up to this number. */
    public static final long MAX_GENERATION = (1L << 53) - 1;

    public static final LeaseNotes NONE =
            new LeaseNotes(MAX_PRIORITY, 0, Optional.empty(), Optional.empty(), Optional.empty(), List.of());

    public LeaseNotes {
        if (priority < 0 || priority > MAX_PRIORITY) {
            throw new IllegalArgumentException("priority is " + priority + "; it lies between 0 and " + MAX_PRIORITY);
        }
        if (generation < 0 || generation > MAX_GENERATION) {
            throw new IllegalArgumentException(
                    "generation is " + generation + "; it lies between 0 and " + MAX_GENERATION);
        }
        past = List.copyOf(past.size() > MAX_PAST ? past.subList(0, MAX_PAST) : past);
    }

    /**
     * Returns the notes that a holder of this priority and generation writes.
     *
     * <p>Besides the priority and the generation, the result contains only the pause and the past terms of these notes.
     */
    public LeaseNotes heldWith(int holdersPriority, long holdersGeneration) {
        return new LeaseNotes(holdersPriority, holdersGeneration, Optional.empty(), pause, Optional.empty(), past);
    }

    /** Returns true if the notes contain no step-down request, pause or successor. */
    boolean areDone() {
        return stepDown.isEmpty() && pause.isEmpty() && successor.isEmpty();
    }

    public LeaseNotes withStepDownRequest(StepDownRequest next) {
        return new LeaseNotes(priority, generation, Optional.of(next), pause, successor, past);
    }

    public LeaseNotes withPause(Optional<Pause> next) {
        return new LeaseNotes(priority, generation, stepDown, next, successor, past);
    }

    /**
     * Returns the notes with an entry for a term that has ended. If the notes already contain an entry for this term,
     * they do not change.
     */
    public LeaseNotes withPast(PastTerm ended) {
        if (past.stream().anyMatch(each -> each.term() == ended.term())) {
            return this;
        }
        var all = new ArrayList<PastTerm>();
        all.add(ended);
        all.addAll(past);
        return new LeaseNotes(priority, generation, stepDown, pause, successor, all);
    }

    /** Returns the notes without the past terms. */
    LeaseNotes withoutPast() {
        return new LeaseNotes(priority, generation, stepDown, pause, successor, List.of());
    }

    public LeaseNotes withSuccessor(Optional<Successor> next) {
        return new LeaseNotes(priority, generation, stepDown, pause, next, past);
    }

    /**
     * A request to the present leader to step down, stored in the record (rule M4).
     *
     * <p>The leader finds the request at the latest at its next renewal, and then carries out the request, unless the
     * request names this leader itself. A leader under a session does not renew its record, so it finds the request
     * when it next reads the record (rule L12.5). The next write of a holder removes the request.
     *
     * @param to the candidate that leads next; empty for any candidate
     * @param by the author of the request
     * @param reason a text for people; may be empty
     */
    public record StepDownRequest(String to, String by, String reason) {
        public StepDownRequest {
            if (!to.isEmpty()) {
                ElectionNames.check("the candidate to hand over to", to);
            }
            ElectionNames.check("who asks", by);
            ElectionNames.checkRemark("reason", reason);
        }
    }

    /**
     * A pause of the election (rule M1). No candidate may lead until the pause is removed from the record.
     *
     * @param by the author of the pause
     * @param reason a text for people; may be empty
     * @param since the time of the pause, by the clock of the process that wrote the pause; for people only
     */
    public record Pause(String by, String reason, Instant since) {
        public Pause {
            ElectionNames.check("who pauses", by);
            ElectionNames.checkRemark("reason", reason);
        }
    }

    /**
     * The successor that the last leader has named (rule M2). The other candidates wait for {@code delay}.
     *
     * @param id the candidate that leads next
     * @param delay the time for which other candidates wait after they read this note, at most 1 h
     */
    public record Successor(String id, Duration delay) {

        /** The maximum delay, which is also the maximum ttl. */
        private static final Duration MOST = Duration.ofHours(1);

        public Successor {
            ElectionNames.check("successor", id);
            if (delay.isNegative()) {
                throw new IllegalArgumentException("delay is " + delay + "; it must not be negative");
            }
            if (delay.compareTo(MOST) > 0) {
                delay = MOST;
            }
        }
    }

    /**
     * A term that has ended.
     *
     * <p>The record contains ended terms only as information for people. The times come from the clocks of the
     * processes that wrote them.
     *
     * @param until the end of the term. If the lease expired, this is the time of the leader's last write. If an
     *     expired lease was under a session, this is the time of the takeover instead
     * @param by the author of the step-down request or the pause that ended the term (rules M1, M4, M5); empty if the
     *     term ended for another reason
     * @param reason the text in this request or pause; may be empty
     */
    public record PastTerm(
            long term, String holder, Instant from, Instant until, LossCause end, String by, String reason) {
        public PastTerm {
            ElectionNames.check("holder", holder);
            ElectionNames.checkRemark("by", by);
            ElectionNames.checkRemark("reason", reason);
            if (term < 1) {
                throw new IllegalArgumentException("term is " + term + "; terms start at 1");
            }
        }

        /** Creates a term that ended for a reason other than a request or a pause. */
        public PastTerm(long term, String holder, Instant from, Instant until, LossCause end) {
            this(term, holder, from, until, end, "", "");
        }
    }
}
