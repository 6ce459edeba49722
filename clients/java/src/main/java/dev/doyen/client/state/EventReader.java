package dev.doyen.client.state;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Parses an event stream that arrives in pieces of any size.
 *
 * <p>An incomplete event at the end of the stream is dropped. Source: WHATWG HTML, section 9.2.6. The standard does
 * not define the limits for lines and events.
 */
final class EventReader {

    /** The maximum length of a line (in bytes) and of an event's data (in characters). */
    static final int MAX_LENGTH = 64 * 1024;

    /** The maximum length of an event's id, which the client sends in a header. A longer id is ignored. */
    static final int MAX_ID_LENGTH = 1_000;

    /** A receiver of the parts of the stream, in order. */
    interface Sink {
        void event(String type, String data);

        void comment();

        /** Sets the delay before the stream is opened again, in milliseconds. */
        void retry(long millis);
    }

    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final StringBuilder data = new StringBuilder();
    private String type = "";
    private String id;
    private String lastEventId;
    private boolean hasData;
    private boolean afterCarriageReturn;
    private boolean first = true;

    /** @param lastEventId the id of the event after which the stream continues; empty for a new stream */
    EventReader(String lastEventId) {
        this.lastEventId = lastEventId;
        this.id = lastEventId;
    }

    /** Returns the Last-Event-ID for the next stream; an empty string if there is none. */
    String lastEventId() {
        return lastEventId;
    }

    /** @throws IllegalArgumentException if a line or an event is too long */
    void read(byte[] bytes, Sink sink) {
        for (byte next : bytes) {
            if (next == '\n' && afterCarriageReturn) {
                afterCarriageReturn = false;
            } else if (next == '\n' || next == '\r') {
                afterCarriageReturn = next == '\r';
                endOfLine(sink);
            } else {
                afterCarriageReturn = false;
                if (line.size() == MAX_LENGTH) {
                    throw new IllegalArgumentException("a line of the stream is longer than " + MAX_LENGTH + " bytes");
                }
                line.write(next);
            }
        }
    }

    private void endOfLine(Sink sink) {
        String text = line.toString(StandardCharsets.UTF_8);
        line.reset();
        if (first && text.startsWith("\ufeff")) {
            text = text.substring(1);
        }
        first = false;
        int colon = text.indexOf(':');
        if (text.isEmpty()) {
            endOfEvent(sink);
        } else if (colon == 0) {
            sink.comment();
        } else if (colon < 0) {
            field(text, "", sink);
        } else {
            int from = text.startsWith(" ", colon + 1) ? colon + 2 : colon + 1;
            field(text.substring(0, colon), text.substring(from), sink);
        }
    }

    private void field(String name, String value, Sink sink) {
        switch (name) {
            case "data" -> {
                if (data.length() + value.length() >= MAX_LENGTH) {
                    throw new IllegalArgumentException(
                            "an event of the stream is longer than " + MAX_LENGTH + " characters");
                }
                data.append(hasData ? "\n" : "").append(value);
                hasData = true;
            }
            case "event" -> type = value;
            case "id" -> {
                if (value.length() <= MAX_ID_LENGTH && value.chars().allMatch(each -> each >= ' ' && each < 127)) {
                    id = value;
                }
            }
            case "retry" -> {
                if (value.matches("[0-9]{1,9}")) {
                    sink.retry(Long.parseLong(value));
                }
            }
            default -> {
                // Ignore unknown fields.
            }
        }
    }

    private void endOfEvent(Sink sink) {
        lastEventId = id;
        if (hasData) {
            sink.event(type.isEmpty() ? "message" : type, data.toString());
        }
        data.setLength(0);
        hasData = false;
        type = "";
    }
}
