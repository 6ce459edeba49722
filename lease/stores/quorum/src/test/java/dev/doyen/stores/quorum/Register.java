package dev.doyen.stores.quorum;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Checks whether a history of compare-and-set registers is linearizable.
 *
 * <p>The class checks each register separately, by the search of Wing and Gong with the cache of Lowe (J. Wing and C.
 * Gong, Testing and Verifying Concurrent Objects, 1993; G. Lowe, Testing for Linearizability, 2017).
 */
final class Register {

    static final String NO_VALUE = "-";

    /** The end time of an operation without an answer. */
    static final long NEVER = Long.MAX_VALUE;

    private Register() {}

    /**
     * One operation on a register.
     *
     * @param expected the expected value of a compare-and-set; {@link #NO_VALUE} before the first write
     * @param next the new value of a compare-and-set; empty for a read
     * @param found the value after the operation, according to its answer; empty if the answer is missing
     */
    record Operation(String register, long call, long end, String client, String expected, String next, String found) {

        Operation answered(long at, String value) {
            return new Operation(register, call, at, client, expected, next, value);
        }

        boolean isRead() {
            return next.isEmpty();
        }

        boolean hasAnswer() {
            return end != NEVER;
        }

        @Override
        public String toString() {
            String what = isRead() ? "read" : "cas " + expected + " " + next;
            return call + " " + (hasAnswer() ? end : "-") + " " + client + " " + register + " " + what + " -> "
                    + (hasAnswer() ? found : "?");
        }
    }

    /** Returns the registers whose history has no valid order of operations. */
    static List<String> unexplained(List<Operation> history) {
        Map<String, List<Operation>> registers = history.stream()
                // A read without an answer gives no information.
                .filter(each -> each.hasAnswer() || !each.isRead())
                .collect(Collectors.groupingBy(Operation::register, TreeMap::new, Collectors.toList()));
        return registers.entrySet().stream()
                .filter(each -> !isLinearizable(each.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private record State(BitSet done, String value, long answersLeft) {}

    private record Seen(BitSet done, String value) {}

    private static boolean isLinearizable(List<Operation> all) {
        List<Operation> operations = relevant(all);
        long answers = operations.stream().filter(Operation::hasAnswer).count();
        Set<Seen> seen = new HashSet<>();
        Deque<State> open = new ArrayDeque<>();
        open.push(new State(new BitSet(), NO_VALUE, answers));
        while (!open.isEmpty()) {
            State state = open.pop();
            if (state.answersLeft == 0) {
                return true;
            }
            long firstEnd = firstEnd(operations, state.done);
            for (int i = state.done.nextClearBit(0);
                    i < operations.size() && operations.get(i).call() <= firstEnd;
                    i = state.done.nextClearBit(i + 1)) {
                Operation operation = operations.get(i);
                String after = after(operation, state.value);
                if (!after.isEmpty()) {
                    var done = (BitSet) state.done.clone();
                    done.set(i);
                    if (seen.add(new Seen(done, after))) {
                        open.push(new State(done, after, state.answersLeft - (operation.hasAnswer() ? 1 : 0)));
                    }
                }
            }
        }
        return false;
    }

    /** Sorts the operations by call time. The result omits unanswered writes whose value no operation has read. */
    private static List<Operation> relevant(List<Operation> all) {
        Set<String> values = all.stream()
                .filter(Operation::hasAnswer)
                .flatMap(each -> List.of(each.found(), each.expected()).stream())
                .collect(Collectors.toSet());
        return all.stream()
                .filter(each -> each.hasAnswer() || values.contains(each.next()))
                .sorted(Comparator.comparingLong(Operation::call))
                .toList();
    }

    /**
     * Returns the earliest end time of the remaining operations. An operation whose call is later cannot be the next
     * one.
     */
    private static long firstEnd(List<Operation> operations, BitSet done) {
        long first = NEVER;
        for (int i = done.nextClearBit(0); i < operations.size(); i = done.nextClearBit(i + 1)) {
            if (operations.get(i).call() > first) {
                return first;
            }
            first = Math.min(first, operations.get(i).end());
        }
        return first;
    }

    /** Returns the value after the operation; empty if the operation's answer is impossible with this earlier value. */
    private static String after(Operation operation, String value) {
        if (operation.isRead()) {
            return operation.found().equals(value) ? value : "";
        }
        String after = operation.expected().equals(value) ? operation.next() : value;
        boolean isPossible = operation.hasAnswer() ? operation.found().equals(after) : !after.equals(value);
        return isPossible ? after : "";
    }
}
