package dev.doyen.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the participants of an election tell each other through its record. Manners and memory only: no rule of safety
 * reads it.
 *
 * @param priority the holder's, 0 to 100; a candidate of a higher one may ask it to hand over
 * @param order what is asked of the present holder
 * @param pause nobody is to lead
 * @param heir whom the last holder wants to be followed by
 * @param past the last terms, the latest first, at most {@value #MAX_PAST}
 */
public record LeaseNotes(
        int priority,
        Optional<LeaseOrder> order,
        Optional<LeasePause> pause,
        Optional<Heir> heir,
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

    /** What a holder of this priority keeps of these notes: the pause and the past. */
    public LeaseNotes heldWith(int holdersPriority) {
        return new LeaseNotes(holdersPriority, Optional.empty(), pause, Optional.empty(), past);
    }

    public LeaseNotes withOrder(LeaseOrder next) {
        return new LeaseNotes(priority, Optional.of(next), pause, heir, past);
    }

    public LeaseNotes withPause(Optional<LeasePause> next) {
        return new LeaseNotes(priority, order, next, heir, past);
    }

    /** The same after a term has ended; a term that is there already stays as it was told first. */
    public LeaseNotes withPast(PastTerm ended) {
        if (past.stream().anyMatch(each -> each.term() == ended.term())) {
            return this;
        }
        var all = new ArrayList<PastTerm>();
        all.add(ended);
        all.addAll(past);
        return new LeaseNotes(priority, order, pause, heir, all);
    }

    public LeaseNotes withHeir(Optional<Heir> next) {
        return new LeaseNotes(priority, order, pause, next, past);
    }
}
