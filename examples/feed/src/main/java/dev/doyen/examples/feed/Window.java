package dev.doyen.examples.feed;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The last lines from the feed, which the holder sends to all receivers. The methods may be called on any thread. */
final class Window {

    /**
     * The maximum number of stored lines. For a receiver that needs an older line, the holder requests the line from
     * the feed again.
     */
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

    /** Returns true if the line is older than all stored lines. */
    synchronized boolean isTooOld(long number) {
        return number < first;
    }

    /** Removes all lines and starts again at {@code number}. */
    synchronized void restart(long number) {
        lines.clear();
        first = number;
        notifyAll();
    }

    synchronized void add(Line line) throws IOException {
        if (line.number() != next()) {
            throw new IOException("the feed sent line " + line.number() + " instead of line " + next());
        }
        lines.add(line);
        if (lines.size() > MAX_LINES) {
            lines.remove();
            first++;
        }
        notifyAll();
    }

    /**
     * Waits for the line with this number, and returns this line and some following lines.
     *
     * @return the lines; empty if the requested line is older than all stored lines
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
