package dev.doyen.benchmarks.server;

/** Counters as servers print them: a line each, with a name, perhaps labels in braces, and a number at its end. */
final class Metrics {

    private Metrics() {}

    /** The sum over all labels. Throws {@link IllegalStateException} if there is no such counter. */
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
