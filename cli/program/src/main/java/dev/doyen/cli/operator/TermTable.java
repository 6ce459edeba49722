package dev.doyen.cli.operator;

import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lists the terms in an election's record, latest first. The times are readings of the writers' clocks. */
public final class TermTable {

    private TermTable() {}

    /**
     * A term of the election.
     *
     * @param past the end of the term; empty for the present term
     * @param gapBefore the time without a leader before the term; empty if the previous term is not known. The time
     *     is negative if the previous leader's clock is ahead of this leader's clock by more than the gap
     */
    public record Row(
            long term, String holder, Instant from, Optional<LeaseNotes.PastTerm> past, Optional<Duration> gapBefore) {}

    public static List<Row> of(LeaseRecord record) {
        var past = record.notes().past();
        var rows = new ArrayList<Row>();
        if (record.isHeld()) {
            rows.add(new Row(
                    record.term(),
                    record.holder(),
                    record.acquiredAt(),
                    Optional.empty(),
                    gap(record.term(), record.acquiredAt(), past.stream().findFirst())));
        }
        for (int at = 0; at < past.size(); at++) {
            var term = past.get(at);
            var before = at + 1 < past.size() ? Optional.of(past.get(at + 1)) : Optional.<LeaseNotes.PastTerm>empty();
            rows.add(new Row(
                    term.term(), term.holder(), term.from(), Optional.of(term), gap(term.term(), term.from(), before)));
        }
        return rows;
    }

    private static Optional<Duration> gap(long term, Instant from, Optional<LeaseNotes.PastTerm> before) {
        return before.filter(earlier -> earlier.term() == term - 1)
                .map(earlier -> Duration.between(earlier.until(), from));
    }
}
