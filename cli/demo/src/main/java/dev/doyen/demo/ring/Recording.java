package dev.doyen.demo.ring;

import java.util.List;

/**
 * A recorded election with its events in order.
 *
 * @param hopMillis how long a message takes from one member to the next
 * @param whole false if the recording was cut off at the maximum length
 */
public record Recording(RecordingParameters plan, long hopMillis, List<RecordedEvent> events, boolean whole) {
    public Recording {
        events = List.copyOf(events);
    }
}
