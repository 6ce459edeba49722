package dev.doyen.demo.quorum.driver;

import dev.doyen.demo.quorum.ChildLine;
import dev.doyen.demo.quorum.MemberReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Records the reports of the processes about their leaderships, and finds violations.
 *
 * <p>The times of all reports are comparable, because on Linux {@link System#nanoTime} reads the same clock in all
 * processes of a machine.
 */
final class Reports implements MemberProcesses.Listener {

    /** One term, as the reports describe it. */
    private record Term(int member, long from, long to, long first, long last) {}

    private final Map<Long, Term> terms = new TreeMap<>();
    private final List<String> faults = new ArrayList<>();
    private final Map<Integer, MemberReport> latest = new TreeMap<>();

    @Override
    public synchronized void line(MemberProcesses processes, int number, ChildLine line) {
        MemberReport report = line.report();
        if (report == null) {
            return;
        }
        latest.put(number, report);
        var candidacy = report.candidacy();
        if (!candidacy.leads()) {
            return;
        }
        Term term = terms.get(candidacy.term());
        if (term != null && term.member() != number) {
            faults.add("members " + term.member() + " and " + number + " both lead in term " + candidacy.term());
        } else if (term != null && candidacy.count() < term.last()) {
            faults.add("member " + number + " counts back from " + term.last() + " to " + candidacy.count());
        }
        terms.put(
                candidacy.term(),
                term == null
                        ? new Term(number, report.atNanos(), report.atNanos(), candidacy.count(), candidacy.count())
                        : new Term(number, term.from(), report.atNanos(), term.first(), candidacy.count()));
    }

    @Override
    public void ended(MemberProcesses processes, int number, int exitCode) {}

    /**
     * Returns the violations that the reports show. A violation is two leaders at the same time, a term with two
     * leaders, or a count that decreases within a term or from one term to the next.
     */
    synchronized List<String> faults() {
        var found = new ArrayList<>(faults);
        Term before = null;
        for (Term term : terms.values()) {
            if (before != null && term.from() - before.to() <= 0) {
                found.add("two members lead at once: " + before + " and " + term);
            }
            if (before != null && term.first() < before.last()) {
                found.add("the count decreases: " + before + " and " + term);
            }
            before = term;
        }
        return found;
    }

    /** Returns the number of terms that had a leader. */
    synchronized long terms() {
        return terms.size();
    }

    synchronized long count() {
        return terms.values().stream().mapToLong(Term::last).max().orElse(0);
    }

    /**
     * Returns the member that leads according to its latest report. If several members report that they lead, the
     * method returns the one with the highest term.
     */
    synchronized Optional<Integer> leader() {
        return latest.entrySet().stream()
                .filter(each -> each.getValue().candidacy().leads())
                .max(java.util.Comparator.comparingLong(
                        each -> each.getValue().candidacy().term()))
                .map(Map.Entry::getKey);
    }

    /** Discards the latest report of a member, because it is outdated. */
    synchronized void forget(int number) {
        latest.remove(number);
    }
}
