package dev.doyen.elector;

import java.time.Duration;
import java.util.Map;

/**
 * A Server-Sent Events response. The stream begins with {@code first}, and then contains a block for each
 * {@link Announcement} of the election. A plain stream omits an announcement in which only the reason has changed.
 *
 * @param election the election of this stream
 * @param dialect the form of the announcements
 * @param first the first blocks, written before any announcement
 * @param heartbeat the interval at which the handler writes {@link #HEARTBEAT}, so that it notices vanished clients
 */
public record ElectorStream(String election, Dialect dialect, String first, Duration heartbeat)
        implements ElectorAnswer {

    /** A comment, which readers of event streams ignore. Source: WHATWG HTML, section 9.2.6. */
    public static final String HEARTBEAT = ":\n\n";

    /** The form of a stream. */
    public enum Dialect {
        /** Blocks that contain only {@code data:}, as the NAIS elector sends them. */
        PLAIN,
        /** Blocks with {@code id} and {@code event}, from which a stream can resume. */
        EVENTS
    }

    /** Returns the headers of a stream. The status of a stream is always 200. */
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
