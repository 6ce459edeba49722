package dev.doyen.hub;

import dev.doyen.hub.rest.HistoryQuery;
import dev.doyen.hub.rest.Page;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Something that happened on a channel, and can be asked for.
 *
 * @param frameSerial the channel's serial then
 * @param serial its own: text that sorts as things happened, and where the next page goes on
 * @param millis when, since the epoch
 */
record Past<T>(String frameSerial, String serial, long millis, T what) {

    /** The page that was asked for, of all that is known, which comes oldest first. */
    static <T> Page<T> page(List<Past<T>> oldestFirst, HistoryQuery query) {
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
