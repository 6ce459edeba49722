package dev.doyen.examples.feed;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The last lines from the feed, which the holder passes on to all receivers. Threads: any. */
final class Window {

    /** For a receiver that is further behind, the holder asks the feed again. */
    static final int MAX_LINES = 10_000;

    private static final int MAX_AT_ONCE = 500;

    private final Deque<Line> lines = new ArrayDeque<>();
    private long first;

    Window(long first) {
        this.first = first;
    }

    /** Returns the number of the next line. */
    synchronized long next() {
        return first + lines.size();
    }

    /** Returns whether the line is older than all kept lines. */
    synchronized boolean isTooOld(long number) {
        return number < first;
    }

    /** Drops all lines and begins at {@code number}. */
    synchronized void restart(long number) {
        lines.clear();
        first = number;
        notifyAll();
    }

    synchronized void add(Line line) throws IOException {
        if (line.number() != next()) {
            throw new IOException("the feed sent line " + line.number() + " where " + next() + " was to come");
        }
        lines.add(line);
        if (lines.size() > MAX_LINES) {
            lines.remove();
            first++;
        }
        notifyAll();
    }

    /**
     * Waits for the line with this number, and returns it with some following lines.
     *
     * @return empty if the line is older than all kept lines
     */
    synchronized List<Line> from(long number) throws InterruptedException {
        while (number >= next()) {
            wait();
        }
        List<Line> found = new ArrayList<>();
        if (number >= first) {
            lines.stream().skip(number - first).limit(MAX_AT_ONCE).forEach(found::add);
        }
        return found;
    }
}
