package dev.doyen.hub.rest;

import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * Which part of a channel's past is asked for.
 *
 * @param startMillis not before, since the epoch
 * @param endMillis not after
 * @param backwards the newest first
 * @param limit at most so many
 * @param fromSerial nothing beyond this serial of the channel, itself included: what an attachment has not heard itself
 * @param after nothing up to this serial: where the page before ended
 */
public record HistoryQuery(
        long startMillis,
        long endMillis,
        boolean backwards,
        int limit,
        @Nullable String fromSerial,
        @Nullable String after) {

    static HistoryQuery read(Query query) throws Refusal {
        String direction = query.text("direction");
        if (direction != null && !direction.equals("backwards") && !direction.equals("forwards")) {
            throw new Refusal(
                    ErrorCode.BAD_PARAMETER,
                    "direction is " + Quote.of(direction) + "; give backwards, which is usual, or forwards");
        }
        long start = query.millis("start", 0);
        long end = query.millis("end", Long.MAX_VALUE);
        if (start > end) {
            throw new Refusal(ErrorCode.BAD_PARAMETER, "start (" + start + ") is after end (" + end + ")");
        }
        return new HistoryQuery(
                start,
                end,
                !"forwards".equals(direction),
                query.limit(),
                query.serial("from_serial"),
                query.serial(Query.CURSOR));
    }
}
