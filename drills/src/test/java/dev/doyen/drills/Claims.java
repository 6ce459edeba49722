package dev.doyen.drills;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * When processes were certain that they led, by one clock for all of them ({@link ClaimWatch}); and whether that keeps what
 * is promised with voters: never two at an instant (V1), a number for one process only, and numbers that rise (V2). A
 * guarded resource to which each had given its term at each of these times would have refused none.
 *
 * <p>Threads: any.
 */
final class Claims {

    /**
     * It led from then until then, if the one is before the other; and at some moment after {@code to} in any case, for a look
     * that began then said yes.
     *
     * @param process its id, and when it began
     * @param id its id, which another process had before or has later
     * @param began when it did, in the same nanoseconds
     */
    record Claim(String process, String id, long began, long term, long from, long to) {
        private boolean lasted() {
            return from <= to;
        }
    }

    /** By the process and when it began to lead: what is said of that later is longer. */
    private final Map<String, Claim> all = new LinkedHashMap<>();

    synchronized void note(String process, String id, long began, long term, long from, long to) {
        all.put(process + " " + term + " " + from, new Claim(process, id, began, term, from, to));
    }

    /** In the order in which they began. */
    synchronized List<Claim> all() {
        return all.values().stream()
                .sorted(Comparator.comparingLong(Claim::from))
                .toList();
    }

    /** What was not allowed to be. */
    List<String> faults() {
        List<String> faults = new ArrayList<>(overlaps());
        Map<Long, String> users = new HashMap<>();
        long greatest = 0;
        for (Claim claim : all()) {
            String user = users.putIfAbsent(claim.term, claim.process);
            if (user != null && !user.equals(claim.process)) {
                faults.add("a number of two: " + user + " had it, then " + claim);
            } else if (claim.term < greatest) {
                faults.add("after " + greatest + " a lower number: " + claim);
            }
            greatest = Math.max(greatest, claim.term);
        }
        return faults;
    }

    /** Where two led at an instant. */
    List<String> overlaps() {
        List<String> overlaps = new ArrayList<>();
        List<Claim> lasting = all().stream().filter(Claim::lasted).toList();
        for (int later = 1; later < lasting.size(); later++) {
            Claim claim = lasting.get(later);
            for (Claim earlier : lasting.subList(0, later)) {
                if (!earlier.process.equals(claim.process) && earlier.to >= claim.from) {
                    overlaps.add("two at an instant: " + earlier + " and " + claim);
                }
            }
        }
        return overlaps;
    }

    /** Looks of this id that began after this and said that it leads. */
    List<Claim> of(String id, long afterNanos) {
        return all().stream()
                .filter(claim -> claim.id.equals(id) && claim.to > afterNanos)
                .toList();
    }

    /** When anybody first led after this; empty if nobody has. */
    OptionalLong firstAfter(long nanos) {
        return all().stream()
                .mapToLong(Claim::from)
                .filter(from -> from > nanos)
                .findFirst();
    }

    /** When somebody last led, of those that began to before this; empty if nobody had. */
    OptionalLong lastBefore(long nanos) {
        return all().stream()
                .filter(claim -> claim.lasted() && claim.from < nanos)
                .mapToLong(Claim::to)
                .max();
    }
}
