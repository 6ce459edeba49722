package dev.doyen.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Records the event streams of all sidecars, in order of arrival.
 *
 * <p>One clock gives all stamps.
 */
final class SidecarOutput {

    /**
     * One event of a sidecar.
     *
     * @param leader empty if there is none, or if the sidecar has ended
     */
    record Saying(long nanos, String by, String leader, long term) implements Arrivals.Arrival {

        /** Returns whether the sidecar names its own app as the leader. */
        boolean isClaim() {
            return by.equals(leader);
        }
    }

    private final Arrivals<Saying> said = new Arrivals<>();

    void note(String by, String leader, long term) {
        said.note(nanos -> new Saying(nanos, by, leader, term));
    }

    List<Saying> all() {
        return said.all();
    }

    /** Waits for an event, as {@link Arrivals#await} does. */
    Saying await(String what, long fromNanos, long patienceMillis, Predicate<Saying> wanted)
            throws InterruptedException {
        return said.await(what, fromNanos, patienceMillis, wanted);
    }

    /**
     * Returns the leader that this sidecar named last.
     *
     * <p>Empty if it named none, or if the sidecar has ended.
     */
    String lastOf(String by) {
        String last = "";
        for (Saying saying : all()) {
            last = saying.by.equals(by) ? saying.leader : last;
        }
        return last;
    }

    /** Returns the events at which a sidecar began to claim leadership while another still did. */
    List<Saying> overlaps() {
        List<Saying> overlaps = new ArrayList<>();
        String claiming = "";
        for (Saying saying : all()) {
            if (saying.isClaim()) {
                if (!claiming.isEmpty() && !claiming.equals(saying.by)) {
                    overlaps.add(saying);
                }
                claiming = saying.by;
            } else if (saying.by.equals(claiming)) {
                claiming = "";
            }
        }
        return overlaps;
    }
}
