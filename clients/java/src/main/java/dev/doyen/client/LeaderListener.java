package dev.doyen.client;

import dev.doyen.client.sight.LeaderState;

/** Hears what changes. */
@FunctionalInterface
public interface LeaderListener {

    /**
     * Something else is so now. Called in the watch's one thread, in order; the first call tells how things stand. While it
     * runs nothing is read from the elector, so what is known grows old: hand long work to a thread of your own. What it
     * throws is logged.
     */
    void changed(LeaderState state);
}
