package dev.doyen.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Records the event streams of all sidecars, in order of arrival.
 *
 * <p>All times come from the clock of this JVM.
 */
final class SidecarOutput {

    /**
     * One event of the event stream of a sidecar.
     *
     * @param leader the leader that the sidecar names; empty if it names none, or if the sidecar has ended
     */
    record Report(long nanos, String by, String leader, long term) implements Arrivals.Arrival {

        /** Returns true if the sidecar names its own app as the leader. */
        boolean isClaim() {
            return by.equals(leader);
        }
    }

    private final Arrivals<Report> reports = new Arrivals<>();

    void note(String by, String leader, long term) {
        reports.note(nanos -> new Report(nanos, by, leader, term));
    }

    List<Report> all() {
        return reports.all();
    }

    /** Waits for an event, as {@link Arrivals#await} does. */
    Report await(String what, long fromNanos, long patienceMillis, Predicate<Report> condition)
            throws InterruptedException {
        return reports.await(what, fromNanos, patienceMillis, condition);
    }

    /**
     * Returns the leader that this sidecar named last.
     *
     * <p>The result is empty if the sidecar named no leader, or if the sidecar has ended.
     */
    String lastOf(String by) {
        String last = "";
        for (Report report : all()) {
            last = report.by.equals(by) ? report.leader : last;
        }
        return last;
    }

    /** Returns the events in which a sidecar named its own app while another sidecar still named its own app. */
    List<Report> overlaps() {
        List<Report> overlaps = new ArrayList<>();
        String claiming = "";
        for (Report report : all()) {
            if (report.isClaim()) {
                if (!claiming.isEmpty() && !claiming.equals(report.by)) {
                    overlaps.add(report);
                }
                claiming = report.by;
            } else if (report.by.equals(claiming)) {
                claiming = "";
            }
        }
        return overlaps;
    }
}
