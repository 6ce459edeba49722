package dev.doyen.server.picture;

import java.util.List;

/**
 * An election that was run, in order.
 *
 * @param hopMillis how long a message takes from a member to the next
 * @param whole false if it was cut short, for it was longer than any is expected to be
 */
public record Recording(PicturePlan plan, long hopMillis, List<RecordedEvent> events, boolean whole) {
    public Recording {
        events = List.copyOf(events);
    }
}
