package dev.doyen.elector;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A Server-Sent Events response: {@code first} at once, then a block per {@link Announcement} of the election.
 *
 * @param election the election of this stream
 * @param dialect the form of the announcements
 * @param first the first blocks, written before any announcement
 * @param heartbeat how often to write {@link #HEARTBEAT}; empty for never
 */
public record ElectorStream(String election, Dialect dialect, String first, Optional<Duration> heartbeat)
        implements ElectorAnswer {

    /** A comment, which readers of event streams skip. Source: WHATWG HTML, section 9.2.6. */
    public static final String HEARTBEAT = ":\n\n";

    /** The form of a stream. */
    public enum Dialect {
        /** Bare {@code data:} blocks, as the NAIS elector sends them. */
        PLAIN,
        /** Blocks with {@code id} and {@code event}, from which a stream can resume. */
        EVENTS
    }

    /** The headers of all streams; the status is always 200. */
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
