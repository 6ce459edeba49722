package dev.doyen.demo.ring;

import dev.doyen.group.settings.RingAlgorithm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The parameters of a recording.
 *
 * @param numbers the numbers of the members in ring order. The list contains each number from 1 to n once; the
 *     highest number should win
 * @param who the number of the member that crashes ({@link RecordingFault#CRASH})
 * @param whenHops the number of hops after which the fault occurs, if the fault occurs during the election
 * @param seed the seed of all random choices
 */
public record RecordingParameters(
        List<Integer> numbers, RingAlgorithm algorithm, RecordingFault fault, int who, int whenHops, long seed) {

    public static final int LEAST_MEMBERS = 2;

    /**
     * The maximum number of members.
     *
     * <p>In the worst ring order, 64 members send 2,080 election messages. A fault that causes two more elections
     * triples this number. The recording is then almost one megabyte long, and its creation takes a fraction of a
     * second. A phone cannot display more members.
     */
    public static final int MOST_MEMBERS = 64;

    static final long MAX_SEED = 999_999_999;

    private static final int USUAL_MEMBERS = 8;

    private static final Set<String> KNOWN =
            new TreeSet<>(Set.of("n", "order", "algorithm", "fault", "who", "when", "seed"));

    public RecordingParameters {
        numbers = List.copyOf(numbers);
        int n = numbers.size();
        within("n", n, LEAST_MEMBERS, MOST_MEMBERS);
        within("who", who, 1, n);
        // After n - 1 hops, the winner's message has returned or almost returned. A loss after this time has no effect.
        within("when", whenHops, 1, fault == RecordingFault.LOST ? n - 1 : 2 * n);
        within("seed", seed, 0, MAX_SEED);
        List<Integer> sorted = numbers.stream().sorted().toList();
        if (!sorted.equals(countTo(n))) {
            throw new IllegalArgumentException("order is \"" + written(numbers) + "\"; a list of " + n
                    + " members has each number from 1 to " + n + " once");
        }
    }

    /**
     * Parses a query and uses default values for missing parameters.
     *
     * @throws IllegalArgumentException if a parameter is invalid; the message is a sentence for the user
     */
    public static RecordingParameters of(Map<String, String> query) {
        for (String name : query.keySet()) {
            if (!KNOWN.contains(name)) {
                throw new IllegalArgumentException(
                        "there is no parameter \"" + shortened(name) + "\"; there are " + String.join(", ", KNOWN));
            }
        }
        long seed = number(query, "seed", 1, 0, MAX_SEED);
        List<Integer> numbers = numbers(query, seed);
        int n = numbers.size();
        return new RecordingParameters(
                numbers,
                algorithm(query.getOrDefault("algorithm", "chang-roberts")),
                fault(query.getOrDefault("fault", "none")),
                (int) number(query, "who", n, 1, n),
                (int) number(query, "when", Math.max(1, n / 2), 1, 2L * n),
                seed);
    }

    int n() {
        return numbers.size();
    }

    private static List<Integer> numbers(Map<String, String> query, long seed) {
        String order = query.getOrDefault("order", "random");
        if (order.contains(",")) {
            List<Integer> listed = listed(order);
            if (number(query, "n", listed.size(), LEAST_MEMBERS, MOST_MEMBERS) != listed.size()) {
                throw new IllegalArgumentException(
                        "n is " + query.get("n") + ", but order lists " + listed.size() + " members; leave n out");
            }
            return listed;
        }
        int n = (int) number(query, "n", USUAL_MEMBERS, LEAST_MEMBERS, MOST_MEMBERS);
        return switch (order) {
            case "random" -> new SeededRandom(seed).shuffled(countTo(n));
            case "best" -> countTo(n);
            case "worst" -> IntStream.rangeClosed(1, n).mapToObj(i -> n + 1 - i).toList();
            default ->
                throw new IllegalArgumentException(
                        "order is \"" + shortened(order) + "\"; it is random, best, worst, or a list such as 3,1,2");
        };
    }

    private static List<Integer> listed(String order) {
        var numbers = new ArrayList<Integer>();
        for (String each : order.split(",", MOST_MEMBERS + 1)) {
            numbers.add((int) whole("order", each.strip(), 1, MOST_MEMBERS));
        }
        return numbers;
    }

    private static RingAlgorithm algorithm(String text) {
        return switch (text) {
            case "chang-roberts" -> RingAlgorithm.CHANG_ROBERTS;
            case "peterson" -> RingAlgorithm.PETERSON;
            default ->
                throw new IllegalArgumentException(
                        "algorithm is \"" + shortened(text) + "\"; it is chang-roberts or peterson");
        };
    }

    private static RecordingFault fault(String text) {
        return Arrays.stream(RecordingFault.values())
                .filter(fault -> fault.queryName().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("fault is \"" + shortened(text) + "\"; it is one of "
                        + Arrays.stream(RecordingFault.values())
                                .map(RecordingFault::queryName)
                                .collect(Collectors.joining(", "))));
    }

    private static long number(Map<String, String> query, String name, long usual, long least, long most) {
        String text = query.get(name);
        return text == null ? usual : whole(name, text, least, most);
    }

    private static long whole(String name, String text, long least, long most) {
        if (!text.matches("[0-9]{1,9}")) {
            throw new IllegalArgumentException(
                    name + " is \"" + shortened(text) + "\"; it is a whole number from " + least + " to " + most);
        }
        long value = Long.parseLong(text);
        within(name, value, least, most);
        return value;
    }

    private static void within(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    String.format(Locale.ROOT, "%s is %d; its bounds are %d and %d", name, value, least, most));
        }
    }

    private static List<Integer> countTo(int n) {
        return IntStream.rangeClosed(1, n).boxed().toList();
    }

    private static String written(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** Shortens an invalid value to its first 20 characters for an error message. */
    private static String shortened(String text) {
        return text.length() <= 20 ? text : text.substring(0, 20) + "…";
    }
}
