package dev.doyen.chaos.hostile;

import java.util.List;
import java.util.Map;

/**
 * The result of an attack on a hub.
 *
 * @param roundTripsNanos the round trips of all innocent clients in nanoseconds, in ascending order
 * @param mostBytes the largest resident memory of the hub's process, in bytes
 * @param attacks the number of times that each attack was started
 * @param notReady the reasons from the failed readiness checks during the attacks, in the order of time. A busy machine
 *     can also make such a check fail
 * @param faults the violations of the rules of {@link HostileRun}, each as a sentence
 */
public record HostileReport(
        List<Long> roundTripsNanos,
        long mostBytes,
        Map<Attack, Integer> attacks,
        List<String> notReady,
        List<String> faults) {

    /** Returns true if every readiness check passed and no rule was violated. */
    public boolean isGood() {
        return notReady.isEmpty() && faults.isEmpty();
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
        list(text, "not ready", notReady);
        list(text, "faults", faults);
        return text.append('\n').toString();
    }

    private static void list(StringBuilder text, String title, List<String> lines) {
        text.append('\n').append(title).append(": ").append(lines.size());
        lines.stream().limit(20).forEach(line -> text.append("\n  ").append(line));
    }

    private String millis(double part) {
        int index = (int) Math.min(roundTripsNanos.size() - 1, Math.floor(part * roundTripsNanos.size()));
        return Long.toString(roundTripsNanos.get(index) / 1_000_000);
    }
}
