package dev.doyen.drills;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** What sidecars say on their event streams, in the order in which it arrives, by one clock. */
final class Sayings {

    /** @param leader empty for nobody, and when the sidecar has ended */
    record Saying(long nanos, String by, String leader, long term) {

        /** It tells its own app that this leads. */
        boolean isClaim() {
            return by.equals(leader);
        }
    }

    private final List<Saying> all = new ArrayList<>();

    synchronized void note(String by, String leader, long term) {
        all.add(new Saying(System.nanoTime(), by, leader, term));
        notifyAll();
    }

    synchronized List<Saying> all() {
        return List.copyOf(all);
    }

    /** Waits for one that arrived after {@code fromNanos}; fails after the patience. */
    synchronized Saying await(String what, long fromNanos, long patienceMillis, Predicate<Saying> wanted)
            throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
        int next = 0;
        while (true) {
            for (; next < all.size(); next++) {
                Saying saying = all.get(next);
                if (saying.nanos - fromNanos >= 0 && wanted.test(saying)) {
                    return saying;
                }
            }
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                throw new AssertionError("no " + what + " within " + patienceMillis + " ms; last said: "
                        + all.subList(Math.max(0, all.size() - 8), all.size()));
            }
            wait(left);
        }
    }

    /** Whom this sidecar named last; empty if nobody, or if it has ended. */
    synchronized String lastOf(String by) {
        String last = "";
        for (Saying saying : all) {
            last = saying.by.equals(by) ? saying.leader : last;
        }
        return last;
    }

    /** Moments at which one began to claim that it leads while another still did. */
    synchronized List<Saying> overlaps() {
        List<Saying> overlaps = new ArrayList<>();
        String claiming = "";
        for (Saying saying : all) {
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
