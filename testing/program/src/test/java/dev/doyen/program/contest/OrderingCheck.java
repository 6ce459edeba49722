package dev.doyen.program.contest;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks that the records of several observers are parts of one order.
 *
 * <p>Two observers must not have received two publishes in opposite orders. The records of three or more observers must
 * not form a cycle either. An observer must not have missed a publish between two received publishes.
 *
 * <p>Errors: {@link AssertionError}.
 */
final class OrderingCheck {

    private final List<List<String>> stretches;

    /**
     * Creates the check.
     *
     * @param stretches lists of received publishes; each list has no gap
     */
    OrderingCheck(List<List<String>> stretches) {
        this.stretches = stretches;
    }

    void check() {
        checkNoCircle();
        for (List<String> one : stretches) {
            Map<String, Integer> places = new HashMap<>();
            for (int i = 0; i < one.size(); i++) {
                places.put(one.get(i), i);
            }
            for (List<String> other : stretches) {
                checkNoGap(other, one, places);
            }
        }
    }

    /** Checks that two adjacent publishes of one record are adjacent in each record that contains both. */
    private static void checkNoGap(List<String> stretch, List<String> other, Map<String, Integer> places) {
        for (int i = 1; i < stretch.size(); i++) {
            Integer from = places.get(stretch.get(i - 1));
            Integer to = places.get(stretch.get(i));
            Ledger.check(
                    from == null || to == null || to == from + 1,
                    "missed: one observer received " + stretch.get(i) + " directly after " + stretch.get(i - 1)
                            + ", and another one " + between(other, from, to) + " between them");
        }
    }

    private static List<String> between(List<String> delivered, Integer from, Integer to) {
        return from == null || to == null || to <= from ? List.of() : delivered.subList(from + 1, to);
    }

    /**
     * Repeatedly removes each publish that has no predecessor left. If publishes remain at the end, they contain a
     * cycle (Kahn 1962).
     */
    private void checkNoCircle() {
        Map<String, Set<String>> after = new LinkedHashMap<>();
        Map<String, Integer> before = new LinkedHashMap<>();
        for (List<String> stretch : stretches) {
            for (int i = 0; i < stretch.size(); i++) {
                before.putIfAbsent(stretch.get(i), 0);
                if (i > 0
                        && after.computeIfAbsent(stretch.get(i - 1), id -> new LinkedHashSet<>())
                                .add(stretch.get(i))) {
                    before.merge(stretch.get(i), 1, Integer::sum);
                }
            }
        }
        var free = new ArrayDeque<String>();
        before.forEach((id, count) -> {
            if (count == 0) {
                free.add(id);
            }
        });
        while (!free.isEmpty()) {
            String first = free.remove();
            before.remove(first);
            for (String next : after.getOrDefault(first, Set.of())) {
                if (before.merge(next, -1, Integer::sum) == 0) {
                    free.add(next);
                }
            }
        }
        Ledger.check(before.isEmpty(), "not in one order at several observers: " + before.keySet());
    }
}
