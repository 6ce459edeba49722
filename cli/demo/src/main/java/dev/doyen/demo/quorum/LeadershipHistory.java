package dev.doyen.demo.quorum;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The current leadership of the election and its latest past leaderships. This class is not thread-safe. */
final class LeadershipHistory {

    static final int KEPT = 200;

    private final Deque<Stretch> past = new ArrayDeque<>();
    private @Nullable Stretch present;

    /**
     * A period in which one member leads in one term.
     *
     * @param from the start of the leadership, in milliseconds since the epoch
     * @param to the end of the leadership, in milliseconds since the epoch; null while the leadership lasts
     */
    record Stretch(
            int member, long term, long from, @Nullable Long to) {}

    /** Returns the current leadership. */
    Optional<Stretch> present() {
        return Optional.ofNullable(present);
    }

    /** Returns the highest observed term; 0 before the first term. */
    long lastTerm() {
        if (present != null) {
            return present.term();
        }
        return past.isEmpty() ? 0 : past.getLast().term();
    }

    /**
     * Records a report in which this member is the leader.
     *
     * @return true if the report starts a new leadership
     */
    boolean leads(int member, long term, long now) {
        if (term < lastTerm() || (present != null && present.term() == term)) {
            return false;
        }
        if (present == null && !past.isEmpty() && past.getLast().term() == term) {
            // The member was suspended or unreachable, but its lease did not expire: the leadership continues.
            Stretch resumed = past.removeLast();
            present = new Stretch(member, term, resumed.from(), null);
            return false;
        }
        end(now);
        present = new Stretch(member, term, now, null);
        return true;
    }

    /** Ends the current leadership if this member is the leader. */
    void endOf(int member, long now) {
        if (present != null && present.member() == member) {
            end(now);
        }
    }

    /** Returns the stored leaderships, oldest first. A current leadership comes last. */
    List<Stretch> all() {
        var all = new java.util.ArrayList<>(past);
        if (present != null) {
            all.add(present);
        }
        return List.copyOf(all);
    }

    private void end(long now) {
        if (present == null) {
            return;
        }
        past.addLast(new Stretch(present.member(), present.term(), present.from(), now));
        present = null;
        if (past.size() > KEPT) {
            past.removeFirst();
        }
    }
}
