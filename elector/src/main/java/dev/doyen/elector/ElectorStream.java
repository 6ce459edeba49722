package dev.doyen.elector;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A Server-Sent Events response: {@code first} at once, then one block for each {@link Announcement} of the election.
 *
 * @param election whose announcements belong to this stream
 * @param dialect which form of each announcement belongs to it
 * @param first the opening blocks, to be written before any announcement
 * @param heartbeat how often to write {@link #HEARTBEAT} while nothing else is written; empty for never
 */
public record ElectorStream(String election, Dialect dialect, String first, Optional<Duration> heartbeat)
        implements ElectorAnswer {

    /** A comment, which event-stream readers skip. Source: WHATWG HTML, section 9.2.6. */
    public static final String HEARTBEAT = ":\n\n";

    /** How a stream speaks. */
    public enum Dialect {
        /** Bare {@code data:} blocks, as the NAIS elector sends them. */
        PLAIN,
        /** Blocks with {@code id} and {@code event}, which can be resumed. */
        EVENTS
    }

    /** The headers of every stream; the status is always 200. */
    public Map<String, String> headers() {
        return Map.of(
                "Content-Type", "text/event-stream",
                "Cache-Control", "no-cache",
                "X-Accel-Buffering", "no");
    }

    @Override
    public void accept(Cases cases) {
        cases.stream(this);
    }
}
