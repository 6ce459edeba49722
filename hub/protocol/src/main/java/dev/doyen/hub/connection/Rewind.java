package dev.doyen.hub.connection;

import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The part of the history with which an attachment starts.
 *
 * <p>The parameter {@code rewind} is a number of messages, or a time such as {@code 15s} or {@code 2m}. If the
 * parameter is a time, {@code rewindLimit} limits the number of messages.
 *
 * @param count the maximum number of messages
 * @param nanos the maximum age of the messages, in nanoseconds
 */
record Rewind(int count, long nanos) {

    static final String PARAM = "rewind";
    static final String LIMIT_PARAM = "rewindLimit";

    static final Rewind NOTHING = new Rewind(0, Long.MAX_VALUE);

    private static final Pattern AMOUNT = Pattern.compile("([0-9]{1,6})([sm]?)");
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    static Rewind read(Map<String, String> params) throws Refusal {
        @Nullable String text = params.get(PARAM);
        if (text == null) {
            return NOTHING;
        }
        Matcher amount = AMOUNT.matcher(text);
        if (!amount.matches()) {
            throw bad(PARAM, text, "a number of messages, or a time like 15s or 2m");
        }
        int number = Integer.parseInt(amount.group(1));
        if (amount.group(2).isEmpty()) {
            return new Rewind(number, Long.MAX_VALUE);
        }
        long seconds = amount.group(2).equals("m") ? 60L * number : number;
        return new Rewind(limit(params.get(LIMIT_PARAM)), seconds * NANOS_PER_SECOND);
    }

    private static int limit(@Nullable String text) throws Refusal {
        if (text == null) {
            return Integer.MAX_VALUE;
        }
        if (!text.matches("[0-9]{1,6}")) {
            throw bad(LIMIT_PARAM, text, "a number of messages");
        }
        return Integer.parseInt(text);
    }

    private static Refusal bad(String name, String value, String remedy) {
        return new Refusal(ErrorCode.BAD_REQUEST, name + " is " + Quote.of(value) + "; give " + remedy);
    }
}
