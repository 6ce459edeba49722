package dev.doyen.chaos.hostile;

import java.util.List;
import java.util.Map;

/**
 * The result of an attack on a hub.
 *
 * @param roundTripsNanos the round trips of all innocent clients in nanoseconds, in ascending order
 * @param mostBytes the largest resident memory of the hub's process, in bytes
 * @param attacks the number of times that each attack was started
 * @param faults the violations of the rules of {@link HostileRun}, each as a sentence
 */
public record HostileReport(
        List<Long> roundTripsNanos, long mostBytes, Map<Attack, Integer> attacks, List<String> faults) {

    public boolean isGood() {
        return faults.isEmpty();
    }

    /** Returns the report for people. */
    public String text() {
        var text = new StringBuilder("round trips of the innocent clients: " + roundTripsNanos.size());
        if (!roundTripsNanos.isEmpty()) {
            text.append(", median ").append(millis(0.5)).append(" ms, p99 ").append(millis(0.99));
            text.append(" ms, longest ").append(millis(1)).append(" ms");
        }
        text.append("\nmemory of the hub's process, at most: ")
                .append(mostBytes >> 20)
                .append(" MiB\nattacks:");
        attacks.forEach(
                (attack, times) -> text.append(' ').append(attack).append(' ').append(times));
        text.append("\nfaults: ").append(faults.size()).append('\n');
        faults.stream()
                .limit(20)
                .forEach(fault -> text.append("  ").append(fault).append('\n'));
        return text.toString();
    }

    private String millis(double part) {
        int index = (int) Math.min(roundTripsNanos.size() - 1, Math.floor(part * roundTripsNanos.size()));
        return Long.toString(roundTripsNanos.get(index) / 1_000_000);
    }
}
