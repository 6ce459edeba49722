package dev.doyen.examples.feed;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The last lines that the holder has from the feed, for all to whom it passes them on. Threads: any. */
final class Window {

    /** Who is further behind than this is served by asking the feed again. */
    static final int MAX_LINES = 10_000;

    private static final int MAX_AT_ONCE = 500;

    private final Deque<Line> lines = new ArrayDeque<>();
    private long first;

    Window(long first) {
        this.first = first;
    }

    /** The number of the line that comes next. */
    synchronized long next() {
        return first + lines.size();
    }

    /** True if that line came before all that are kept. */
    synchronized boolean isTooOld(long number) {
        return number < first;
    }

    /** Forgets all, to begin at {@code number}. */
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
     * Waits for the line of that number, and returns it and some that follow.
     *
     * @return empty if the line is older than all that are kept
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
