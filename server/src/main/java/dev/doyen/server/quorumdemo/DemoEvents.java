package dev.doyen.server.quorumdemo;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The latest events, each a sentence. Not safe for several threads. */
final class DemoEvents {

    /** Older events are forgotten. */
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
