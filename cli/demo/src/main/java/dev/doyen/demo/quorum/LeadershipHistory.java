package dev.doyen.demo.quorum;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The current leadership of the election and the latest past ones. Not thread-safe. */
final class LeadershipHistory {

    static final int KEPT = 200;

    private final Deque<Stretch> past = new ArrayDeque<>();
    private @Nullable Stretch present;

    /**
     * The leadership of one member in one term.
     *
     * @param from in milliseconds since the epoch
     * @param to in milliseconds since the epoch; null while the leadership lasts
     */
    record Stretch(
            int member, long term, long from, @Nullable Long to) {}

    /** The current leadership. */
    Optional<Stretch> present() {
        return Optional.ofNullable(present);
    }

    /** The highest term seen; 0 before the first one. */
    long lastTerm() {
        if (present != null) {
            return present.term();
        }
        return past.isEmpty() ? 0 : past.getLast().term();
    }

    /**
     * Records that this member reports that it leads.
     *
     * @return whether a new leadership has begun
     */
    boolean leads(int member, long term, long now) {
        if (term < lastTerm() || (present != null && present.term() == term)) {
            return false;
        }
        if (present == null && !past.isEmpty() && past.getLast().term() == term) {
            // The member was suspended or unreachable for less than its lease.
            Stretch resumed = past.removeLast();
            present = new Stretch(member, term, resumed.from(), null);
            return false;
        }
        end(now);
        present = new Stretch(member, term, now, null);
        return true;
    }

    /** Ends the leadership of this member, if it has one. */
    void endOf(int member, long now) {
        if (present != null && present.member() == member) {
            end(now);
        }
    }

    /** All leaderships, oldest first. */
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
