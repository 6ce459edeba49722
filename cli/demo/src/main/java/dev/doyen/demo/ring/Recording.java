package dev.doyen.demo.ring;

import java.util.List;

/**
 * A recorded election with its events in order.
 *
 * @param hopMillis the time that a message takes from one member to the next, in milliseconds
 * @param whole false if the recording ended early at the maximum length
 */
public record Recording(RecordingParameters plan, long hopMillis, List<RecordedEvent> events, boolean whole) {
    public Recording {
        events = List.copyOf(events);
    }
}
