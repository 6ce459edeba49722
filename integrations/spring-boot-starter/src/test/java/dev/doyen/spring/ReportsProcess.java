package dev.doyen.spring;

import dev.doyen.jvms.JvmProcess;
import dev.doyen.jvms.Patience;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** A process of the application of the guide, with all lines of its console. */
final class ReportsProcess extends JvmProcess {

    private static final Patience PATIENCE = new Patience(Duration.ofMinutes(3));
    private static final Pattern REPORT = Pattern.compile("(\\S+) +INFO .* : a report in term ([0-9]+)");

    private final List<String> lines = new ArrayList<>();

    /** A report that the application has logged. */
    record Report(Instant time, long term) {}

    private ReportsProcess(String id, Process process) {
        super(id, process);
        onLine(line -> {
            synchronized (lines) {
                lines.add(line);
            }
        });
    }

    /** @param settings environment variables, such as {@code SPRING_DATASOURCE_URL} */
    static ReportsProcess start(String id, Path jar, Map<String, String> settings) throws IOException {
        var builder = new ProcessBuilder(JvmProcess.java("-Xmx64m", "-jar", jar.toString())).redirectErrorStream(true);
        builder.environment().put("DOYEN_CANDIDATE_ID", id);
        builder.environment().putAll(settings);
        return new ReportsProcess(id, builder.start());
    }

    List<Report> reports() {
        return console()
                .lines()
                .map(REPORT::matcher)
                .filter(line -> line.matches())
                .map(line -> new Report(OffsetDateTime.parse(line.group(1)).toInstant(), Long.parseLong(line.group(2))))
                .toList();
    }

    String console() {
        synchronized (lines) {
            return String.join("\n", lines) + "\n";
        }
    }

    /** Waits for a match on the console. */
    MatchResult await(Pattern pattern) {
        try {
            PATIENCE.await(id() + " prints " + pattern, () -> find(pattern).isPresent());
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + "; its console:\n" + console(), e);
        }
        return find(pattern).orElseThrow();
    }

    /** Waits for a report whose term is higher than this term. */
    Report awaitReportAfter(long term) {
        PATIENCE.await(
                id() + " reports after term " + term, () -> firstAfter(term).isPresent());
        return firstAfter(term).orElseThrow();
    }

    /** Waits until the process has ended by itself, and returns its exit code. */
    int awaitExit() throws InterruptedException {
        if (!process.waitFor(3, TimeUnit.MINUTES)) {
            throw new AssertionError(id() + " does not end; its console:\n" + console());
        }
        return process.exitValue();
    }

    private Optional<Report> firstAfter(long term) {
        return reports().stream().filter(report -> report.term() > term).findFirst();
    }

    private Optional<MatchResult> find(Pattern pattern) {
        return pattern.matcher(console()).results().findFirst();
    }
}
