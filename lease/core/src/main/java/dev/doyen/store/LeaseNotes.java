package dev.doyen.store;

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
        Optional<LeasePause> pause,
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

    public LeaseNotes withPause(Optional<LeasePause> next) {
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
}
