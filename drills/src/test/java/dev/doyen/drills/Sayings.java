package dev.doyen.drills;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** What sidecars say on their event streams, in the order in which it arrives, by one clock. */
final class Sayings {

    /** @param leader empty for nobody, and when the sidecar has ended */
    record Saying(long nanos, String by, String leader, long term) implements Arrivals.Arrival {

        /** It tells its own app that this leads. */
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

    /** As {@link Arrivals#await}. */
    Saying await(String what, long fromNanos, long patienceMillis, Predicate<Saying> wanted)
            throws InterruptedException {
        return said.await(what, fromNanos, patienceMillis, wanted);
    }

    /** Whom this sidecar named last; empty if nobody, or if it has ended. */
    String lastOf(String by) {
        String last = "";
        for (Saying saying : all()) {
            last = saying.by.equals(by) ? saying.leader : last;
        }
        return last;
    }

    /** Moments at which one began to claim that it leads while another still did. */
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
