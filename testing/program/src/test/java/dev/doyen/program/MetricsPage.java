package dev.doyen.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The tables of docs/reference/metrics.md. */
final class MetricsPage {

    private static final Pattern COMMON =
            Pattern.compile("(?m)^\\| `(doyen_[a-z_]+)` \\| ([a-z]+) \\| ([^|]+) \\| ([A-Za-z, ]+) \\| [^|]+ \\|$");
    private static final Pattern OWN =
            Pattern.compile("(?m)^\\| `(doyen_([a-z]+)_[a-z_]+)(?:\\{([a-z]+)})?` \\| ([a-z]+) \\| ");
    private static final Pattern ALERT = Pattern.compile("(?m)^\\| `(Doyen[A-Za-z]+)` \\| ([A-Za-z, ]+) \\|$");

    private final String page;

    private MetricsPage(String page) {
        this.page = page;
    }

    static MetricsPage read(Path root) throws IOException {
        return new MetricsPage(Files.readString(root.resolve("docs/reference/metrics.md")));
    }

    /** Returns the type and the labels of each metric of this program, by name. */
    Map<String, String> metrics(Program program) {
        Map<String, String> metrics = new TreeMap<>();
        COMMON.matcher(page)
                .results()
                .filter(row -> isFor(program, row.group(4)))
                .forEach(row -> metrics.put(
                        row.group(1), row.group(2) + " " + labels(row.group(3).replace("`", ""))));
        OWN.matcher(page)
                .results()
                .filter(row -> row.group(2).equals(program.onPage()))
                .forEach(row -> metrics.put(
                        row.group(1),
                        row.group(4) + " " + labels((program == Program.RING ? "election" : "") + "," + row.group(3))));
        return metrics;
    }

    /** Returns the names of the alerts for this program. */
    Set<String> alerts(Program program) {
        Set<String> alerts = new TreeSet<>();
        ALERT.matcher(page)
                .results()
                .filter(row -> isFor(program, row.group(2)))
                .forEach(row -> alerts.add(row.group(1)));
        return alerts;
    }

    /** Returns the names of all alerts. */
    Set<String> alerts() {
        Set<String> alerts = new TreeSet<>();
        ALERT.matcher(page).results().forEach(row -> alerts.add(row.group(1)));
        return alerts;
    }

    private static boolean isFor(Program program, String programs) {
        return Arrays.asList(programs.trim().split(", ", -1)).contains(program.onPage());
    }

    private static Set<String> labels(String names) {
        Set<String> labels = new TreeSet<>(Arrays.asList(names.split("[, ]+", -1)));
        labels.remove("");
        labels.remove("null");
        return labels;
    }
}
