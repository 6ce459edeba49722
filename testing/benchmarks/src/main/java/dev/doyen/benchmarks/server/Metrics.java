package dev.doyen.benchmarks.server;

/**
 * Parses the counters that servers print.
 *
 * <p>A line consists of a name, optional labels in braces, and a number.
 */
final class Metrics {

    private Metrics() {}

    /**
     * Returns the sum of a counter over all labels.
     *
     * @throws IllegalStateException if the text does not contain this counter
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
            throw new IllegalStateException("the server does not report " + name);
        }
        return (long) sum;
    }
}
