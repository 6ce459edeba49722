package dev.doyen.cli.operator;

import dev.doyen.event.LossCause;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.PastTerm;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The terms in an election's record, latest first. Times are by the clocks of their writers. */
public final class TermTable {

    private TermTable() {}

    /**
     * One term.
     *
     * @param until empty for the present term
     * @param end why it ended; empty for the present term
     * @param gapBefore the time without a leader before it; empty if the previous term is not known. Negative if the
     *     clocks of the two leaders differ by more than the gap
     * @param by who asked the leader to step down or paused the election; empty if nobody did
     * @param reason the text in that request or pause; may be empty
     */
    public record Row(
            long term,
            String holder,
            Instant from,
            Optional<Instant> until,
            Optional<LossCause> end,
            Optional<Duration> gapBefore,
            String by,
            String reason) {}

    public static List<Row> of(LeaseRecord record) {
        var past = record.notes().past();
        var rows = new ArrayList<Row>();
        if (record.isHeld()) {
            rows.add(new Row(
                    record.term(),
                    record.holder(),
                    record.acquiredAt(),
                    Optional.empty(),
                    Optional.empty(),
                    gap(record.term(), record.acquiredAt(), past.stream().findFirst()),
                    "",
                    ""));
        }
        for (int at = 0; at < past.size(); at++) {
            var term = past.get(at);
            var before = at + 1 < past.size() ? Optional.of(past.get(at + 1)) : Optional.<PastTerm>empty();
            rows.add(new Row(
                    term.term(),
                    term.holder(),
                    term.from(),
                    Optional.of(term.until()),
                    Optional.of(term.end()),
                    gap(term.term(), term.from(), before),
                    term.by(),
                    term.reason()));
        }
        return rows;
    }

    private static Optional<Duration> gap(long term, Instant from, Optional<PastTerm> before) {
        return before.filter(earlier -> earlier.term() == term - 1)
                .map(earlier -> Duration.between(earlier.until(), from));
    }
}
