package dev.doyen.benchmarks.server;

/**
 * Parses counters as servers print them.
 *
 * <p>A line has a name, optional labels in braces, and a number at its end.
 */
final class Metrics {

    private Metrics() {}

    /**
     * Returns the sum over all labels.
     *
     * @throws IllegalStateException if there is no such counter
     */
    static long sum(String text, String name) {
        double sum = 0;
        boolean found = false;
        for (String line : text.split("\n", -1)) {
            if (line.startsWith(name) && line.substring(name.length()).matches("[{\\s].*")) {
                sum += Double.parseDouble(line.substring(line.strip().lastIndexOf(line.contains("\t") ? '\t' : ' ') + 1)
                        .strip());
                found = true;
            }
        }
        if (!found) {
            throw new IllegalStateException("the server does not say " + name);
        }
        return (long) sum;
    }
}
