package dev.doyen.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Notes that the participants of an election leave in its record. Safety does not depend on them.
 *
 * @param priority the holder's priority, 0 to 100; a candidate of higher priority may ask the holder to hand over
 *     (rule M5)
 * @param stepDown a request to the present holder to step down (rule M4)
 * @param pause the pause of the election; while the record contains a pause, no candidate may lead (rule M1)
 * @param successor the successor that the last holder has named (rule M2)
 * @param past the last terms that have ended, the latest first, at most {@value #MAX_PAST}
 */
public record LeaseNotes(
        int priority,
        Optional<StepDownRequest> stepDown,
        Optional<LeasePause> pause,
        Optional<Successor> successor,
        List<PastTerm> past) {

    public static final int MAX_PRIORITY = 100;
    public static final int MAX_PAST = 20;

    public static final LeaseNotes NONE =
            new LeaseNotes(MAX_PRIORITY, Optional.empty(), Optional.empty(), Optional.empty(), List.of());

    public LeaseNotes {
        if (priority < 0 || priority > MAX_PRIORITY) {
            throw new IllegalArgumentException("priority is " + priority + "; it lies between 0 and " + MAX_PRIORITY);
        }
        past = List.copyOf(past.size() > MAX_PAST ? past.subList(0, MAX_PAST) : past);
    }

    /**
     * Returns the notes that a holder of this priority writes.
     *
     * <p>Besides the priority, the result contains only the pause and the past terms of these notes.
     */
    public LeaseNotes heldWith(int holdersPriority) {
        return new LeaseNotes(holdersPriority, Optional.empty(), pause, Optional.empty(), past);
    }

    /** Returns true if the notes contain no step-down request, pause or successor. */
    boolean areDone() {
        return stepDown.isEmpty() && pause.isEmpty() && successor.isEmpty();
    }

    public LeaseNotes withStepDownRequest(StepDownRequest next) {
        return new LeaseNotes(priority, Optional.of(next), pause, successor, past);
    }

    public LeaseNotes withPause(Optional<LeasePause> next) {
        return new LeaseNotes(priority, stepDown, next, successor, past);
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
        return new LeaseNotes(priority, stepDown, pause, successor, all);
    }

    /** Returns the notes without the past terms. */
    LeaseNotes withoutPast() {
        return new LeaseNotes(priority, stepDown, pause, successor, List.of());
    }

    public LeaseNotes withSuccessor(Optional<Successor> next) {
        return new LeaseNotes(priority, stepDown, pause, next, past);
    }
}
