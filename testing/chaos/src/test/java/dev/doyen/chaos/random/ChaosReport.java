package dev.doyen.chaos.random;

import dev.doyen.chaos.random.ChaosJudge.Recovery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Formats the findings of the judge about one run, and decides whether the run was good. */
final class ChaosReport {

    private static final String ROW = "%-48s %6s %6s %9s %9s %9s %6s%n";

    private final String store;
    private final ChaosJudge judge;
    private final Duration longestStall;
    private final List<String> troubles;
    private final List<Recovery> recoveries;

    /**
     * Creates the report.
     *
     * @param end the stamp up to which the judge has received all lines
     * @param longestStall the longest time for which a process did not run, including the times in which a fault
     *     stopped it
     * @param troubles failures of the run itself, such as a process that did not end
     */
    ChaosReport(String store, ChaosJudge judge, long end, Duration longestStall, List<String> troubles) {
        this.store = store;
        this.judge = judge;
        this.longestStall = longestStall;
        this.troubles = List.copyOf(troubles);
        this.recoveries = judge.recoveries(end);
    }

    /** Returns all violations of safety: overlaps, wrong terms and lost states. */
    List<String> unsafe() {
        return Stream.of(judge.overlaps(), judge.wrongTerms(), judge.lostStates())
                .flatMap(List::stream)
                .toList();
    }

    int faults() {
        return judge.faults().size();
    }

    /** Returns the failures of the run itself, such as a process that did not end. */
    List<String> troubles() {
        return troubles;
    }

    /**
     * Returns true if the run was good.
     *
     * <p>In a good run safety was never violated, every recovery was in time, the run itself had no failure, and at
     * least one fault happened.
     */
    boolean isGood() {
        return unsafe().isEmpty()
                && troubles.isEmpty()
                && late().isEmpty()
                && !judge.faults().isEmpty();
    }

    private List<Recovery> late() {
        return recoveries.stream().filter(Recovery::isLate).toList();
    }

    /** Formats the progress of the run in one line. */
    String progress(Duration since) {
        long longest = recoveries.stream().mapToLong(Recovery::nanos).max().orElse(0);
        return String.format(
                Locale.ROOT,
                "[%d:%02d] %s: %d faults, %d terms, %,d certain samples, %d overlaps, longest recovery %,d ms, %d late",
                since.toMinutes(),
                since.toSecondsPart(),
                store,
                judge.faults().size(),
                judge.terms(),
                judge.samples(),
                judge.overlaps().size(),
                TimeUnit.NANOSECONDS.toMillis(longest),
                late().size());
    }

    /** Formats the table of recoveries, all violations and failures, and the verdict. */
    String table() {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "%n%s: %d faults, %d terms, %,d certain samples, %d overlaps, %d wrong terms, %d lost states%n",
                store,
                judge.faults().size(),
                judge.terms(),
                judge.samples(),
                judge.overlaps().size(),
                judge.wrongTerms().size(),
                judge.lostStates().size()));
        text.append(String.format(
                ROW, "until a candidate leads again, in ms", "faults", "lost", "median", "longest", "limit", "late"));
        for (FaultKind kind : FaultKind.values()) {
            if (judge.faults().stream().anyMatch(each -> each.kind() == kind)) {
                text.append(row(kind));
            }
        }
        text.append(row("no fault within a ttl", 0, of(Optional.empty())));
        text.append(String.format(Locale.ROOT, "A process did not run for up to %,d ms.%n", longestStall.toMillis()));
        unsafe().forEach(each -> text.append(each).append('\n'));
        late().forEach(each -> text.append("late: ").append(each).append('\n'));
        troubles.forEach(each -> text.append("trouble: ").append(each).append('\n'));
        return text.append("Verdict: ")
                .append(isGood() ? "good" : "BAD")
                .append('\n')
                .toString();
    }

    private String row(FaultKind kind) {
        long faults =
                judge.faults().stream().filter(each -> each.kind() == kind).count();
        return row(kind.text(), faults, of(Optional.of(kind)));
    }

    private List<Recovery> of(Optional<FaultKind> kind) {
        return recoveries.stream()
                .filter(each -> each.fault().map(Fault::kind).equals(kind))
                .toList();
    }

    private static String row(String what, long faults, List<Recovery> all) {
        List<Long> millis = new ArrayList<>(all.stream()
                .map(each -> TimeUnit.NANOSECONDS.toMillis(each.nanos()))
                .sorted()
                .toList());
        if (millis.isEmpty()) {
            return String.format(Locale.ROOT, ROW, what, faults, 0, "-", "-", "-", 0);
        }
        return String.format(
                Locale.ROOT,
                ROW,
                what,
                faults,
                millis.size(),
                millis.get(millis.size() / 2),
                millis.get(millis.size() - 1),
                all.stream().mapToLong(each -> each.limit().toMillis()).max().orElse(0),
                all.stream().filter(Recovery::isLate).count());
    }
}
