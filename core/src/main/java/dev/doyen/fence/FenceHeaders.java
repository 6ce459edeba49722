package dev.doyen.fence;

import dev.doyen.store.ElectionNames;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;

/**
 * How a term travels with an HTTP request: the names of two headers, and their values.
 *
 * <p>{@value #TOKEN} is the term, in decimal digits. {@value #RESOURCE} is the resource, usually the election's name,
 * in visible ASCII; any other character, and {@code %}, {@code ,} and {@code "}, as {@code %} and two hex digits per
 * byte of its UTF-8 form, for header values are ASCII and names need not be.
 *
 * <p>Knows no HTTP client, so that it goes with all of them: see {@link #put}.
 */
public final class FenceHeaders {

    public static final String TOKEN = "X-Fencing-Token";
    public static final String RESOURCE = "X-Fencing-Resource";

    /** The longest value of {@value #RESOURCE}: a longest name of characters that take three bytes each. */
    public static final int MAX_RESOURCE_VALUE = ElectionNames.MAX_LENGTH * 9;

    private static final int MAX_TOKEN_VALUE = Long.toString(Long.MAX_VALUE).length();
    private static final int SHOWN = 40;

    private FenceHeaders() {}

    /**
     * Gives both headers to {@code setter}, such as {@code HttpRequest.Builder::header},
     * {@code HttpURLConnection::setRequestProperty} or what another client calls it.
     *
     * @param resource what is written to, as the server names it; usually the election
     * @param term {@code leadership.term()}
     */
    public static void put(String resource, long term, BiConsumer<String, String> setter) {
        var offered = new OfferedTerm(resource, term);
        setter.accept(TOKEN, Long.toString(offered.term()));
        setter.accept(RESOURCE, encoded(offered.resource()));
    }

    /** The term in a value of {@value #TOKEN}. Throws {@link IllegalArgumentException} with a sentence if it is none. */
    public static long term(String value) {
        boolean digits = !value.isEmpty() && value.chars().allMatch(c -> c >= '0' && c <= '9');
        if (digits && value.length() <= MAX_TOKEN_VALUE) {
            try {
                long term = Long.parseLong(value);
                if (term >= 1) {
                    return term;
                }
            } catch (NumberFormatException e) {
                // Nineteen digits, but above the bound: said below.
            }
        }
        throw new IllegalArgumentException(
                TOKEN + " is " + shown(value) + "; it is a term: a whole number from 1 to " + Long.MAX_VALUE);
    }

    /** The resource in a value of {@value #RESOURCE}. Throws {@link IllegalArgumentException} with a sentence. */
    public static String resource(String value) {
        if (value.length() > MAX_RESOURCE_VALUE) {
            throw new IllegalArgumentException(RESOURCE + " has " + value.length() + " characters; at most "
                    + MAX_RESOURCE_VALUE + " are allowed");
        }
        var bytes = ByteBuffer.allocate(value.length());
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '%') {
                bytes.put(hexAt(value, i + 1));
                i += 2;
            } else if (isPlain(c)) {
                bytes.put((byte) c);
            } else {
                throw malformed(value);
            }
        }
        try {
            String decoded =
                    StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
            return ElectionNames.check(RESOURCE, decoded);
        } catch (CharacterCodingException e) {
            throw malformed(value);
        }
    }

    private static String encoded(String resource) {
        var text = new StringBuilder();
        for (byte each : resource.getBytes(StandardCharsets.UTF_8)) {
            if (isPlain((char) (each & 0xff))) {
                text.append((char) each);
            } else {
                text.append(String.format("%%%02X", each & 0xff));
            }
        }
        return text.toString();
    }

    private static boolean isPlain(char c) {
        return c > ' ' && c <= '~' && c != '%' && c != ',' && c != '"';
    }

    private static byte hexAt(String value, int from) {
        if (from + 2 > value.length()) {
            throw malformed(value);
        }
        int high = Character.digit(value.charAt(from), 16);
        int low = Character.digit(value.charAt(from + 1), 16);
        if (high < 0 || low < 0) {
            throw malformed(value);
        }
        return (byte) (high << 4 | low);
    }

    private static IllegalArgumentException malformed(String value) {
        return new IllegalArgumentException(RESOURCE + " is " + shown(value) + "; it is a name in visible ASCII, with "
                + "any other character, and % , and \", as % and two hex digits per byte of UTF-8");
    }

    private static String shown(String value) {
        return value.length() <= SHOWN ? '"' + value + '"' : '"' + value.substring(0, SHOWN) + "...\"";
    }
}
