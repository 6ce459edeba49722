package dev.doyen.hub.rest;

import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * Selects a page of a channel's history.
 *
 * @param startMillis the earliest time, in milliseconds since the epoch
 * @param endMillis the latest time, in milliseconds since the epoch
 * @param backwards true if the newest item comes first
 * @param limit the maximum number of items
 * @param fromSerial the channel serial at which the result starts; the result includes the frame with this serial. With
 *     the option {@code untilAttach}, an SDK sends the serial of its attachment. Null if the request contains no serial
 * @param after the cursor: the serial of the last item on the previous page; null for the first page
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
                    "direction is " + Quote.of(direction) + "; give backwards (the default) or forwards");
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
