package dev.doyen.demo.quorum;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The latest events, each stored as a sentence. This class is not thread-safe. */
final class DemoEvents {

    /** The maximum number of stored events. */
    static final int KEPT = 60;

    private final Deque<PageState.Event> events = new ArrayDeque<>();

    void add(long now, String text) {
        events.addFirst(new PageState.Event(now, text));
        if (events.size() > KEPT) {
            events.removeLast();
        }
    }

    List<PageState.Event> newestFirst() {
        return List.copyOf(events);
    }
}
