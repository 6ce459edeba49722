package dev.doyen.hub.history;

import dev.doyen.hub.rest.HistoryQuery;
import dev.doyen.hub.rest.Page;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * An item in the history of a channel.
 *
 * @param frameSerial the channel serial of the item's frame
 * @param serial the item's serial; serials sort in the order of the events, and the last serial of a page is the cursor
 *     of the next page
 * @param millis the time of the item, in milliseconds since the epoch
 */
public record Past<T>(String frameSerial, String serial, long millis, T what) {

    /** Returns the requested page of the given items. */
    public static <T> Page<T> page(List<Past<T>> oldestFirst, HistoryQuery query) {
        var ordered = new ArrayList<>(oldestFirst);
        if (query.backwards()) {
            Collections.reverse(ordered);
        }
        var page = new ArrayList<T>();
        String last = null;
        for (Past<T> item : ordered) {
            if (item.isWithin(query)) {
                if (page.size() == query.limit()) {
                    return new Page<>(page, last);
                }
                page.add(item.what);
                last = item.serial;
            }
        }
        return new Page<>(page, null);
    }

    private boolean isWithin(HistoryQuery query) {
        boolean inTime = millis >= query.startMillis() && millis <= query.endMillis();
        boolean beyondCursor = query.after() == null || ahead(serial, query.after(), query) > 0;
        boolean beyondSerial = query.fromSerial() == null || ahead(frameSerial, query.fromSerial(), query) >= 0;
        return inTime && beyondCursor && beyondSerial;
    }

    private static int ahead(String mine, String mark, HistoryQuery query) {
        return query.backwards() ? mark.compareTo(mine) : mine.compareTo(mark);
    }
}
