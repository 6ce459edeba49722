package dev.doyen.program;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * A scrape in the text format of Prometheus.
 *
 * @param values the values, by name and labels
 * @param types the type of each metric, by name
 * @param nanos the time of the scrape, as {@link System#nanoTime}
 */
record Scrape(Map<String, Double> values, Map<String, String> types, long nanos) {

    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"");

    static Scrape of(String text) {
        Map<String, Double> values = new LinkedHashMap<>();
        Map<String, String> types = new TreeMap<>();
        for (String line : text.lines().toList()) {
            if (line.startsWith("# TYPE ")) {
                types.put(line.split(" ")[2], line.split(" ")[3]);
            } else if (!line.startsWith("#")) {
                int at = line.lastIndexOf(' ');
                values.put(line.substring(0, at), Double.parseDouble(line.substring(at + 1)));
            }
        }
        return new Scrape(values, types, System.nanoTime());
    }

    /** Returns the value of a series; 0 if the scrape does not contain the series. */
    double value(String series) {
        return values.getOrDefault(series, 0.0);
    }

    /** Returns the names of all series. */
    Set<String> names() {
        Set<String> names = new TreeSet<>();
        values.keySet().forEach(series -> names.add(name(series)));
        return names;
    }

    /** Returns the type and the labels of each metric, by name. A gauge that Micrometer adds is left out. */
    Map<String, String> metrics() {
        Map<String, String> metrics = new TreeMap<>();
        types.forEach((metric, type) -> {
            if (!metric.endsWith("_max")
                    || !types.containsKey(metric.substring(0, metric.length() - "_max".length()))) {
                metrics.put(metric, type + " " + labels(metric));
            }
        });
        return metrics;
    }

    private Set<String> labels(String metric) {
        Set<String> labels = new TreeSet<>();
        values.keySet().stream()
                .filter(series -> name(series).matches(metric + "(_bucket|_sum|_count)?"))
                .forEach(series -> LABEL.matcher(series).results().forEach(found -> labels.add(found.group(1))));
        labels.remove("le");
        return labels;
    }

    /**
     * Returns values for promtool with a step of 10 s: two minutes with the values of this scrape, and then {@code
     * steps} more steps that continue the change between two later scrapes.
     */
    String values(String series, Scrape later, Scrape last, int steps) {
        double seconds = (last.nanos - later.nanos) / 1e9;
        double perStep = isCounter(series) ? (last.value(series) - later.value(series)) / seconds * 10 : 0;
        return plain(value(series)) + "x12 " + plain(last.value(series)) + "+" + plain(Math.max(0, perStep)) + "x"
                + steps;
    }

    private boolean isCounter(String series) {
        String name = name(series);
        return name.endsWith("_total") || name.endsWith("_bucket") || name.endsWith("_count") || name.endsWith("_sum");
    }

    static String name(String series) {
        int at = series.indexOf('{');
        return at < 0 ? series : series.substring(0, at);
    }

    private static String plain(double value) {
        return BigDecimal.valueOf(value).toPlainString();
    }
}
