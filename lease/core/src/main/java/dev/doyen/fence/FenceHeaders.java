package dev.doyen.fence;

import dev.doyen.text.ElectionNames;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.function.BiConsumer;

/**
 * Encodes a term in two HTTP request headers, and decodes it.
 *
 * <p>{@value #TOKEN} contains the term in decimal digits. {@value #RESOURCE} contains the resource, usually the
 * election's name. Visible ASCII characters except {@code %}, {@code ,} and {@code "} appear unchanged. All other
 * characters are encoded as {@code %} and two hex digits per UTF-8 byte.
 *
 * <p>The class works with any HTTP client; see {@link #put}.
 */
public final class FenceHeaders {

    public static final String TOKEN = "X-Fencing-Token";
    public static final String RESOURCE = "X-Fencing-Resource";

    /** Maximum length of a value of {@value #RESOURCE}: nine characters for each character of the resource. */
    public static final int MAX_RESOURCE_VALUE = ElectionNames.MAX_LENGTH * 9;

    private static final int MAX_TOKEN_VALUE = Long.toString(Long.MAX_VALUE).length();
    private static final int SHOWN = 40;

    private FenceHeaders() {}

    /**
     * Passes both headers to {@code setter}, for example to {@code HttpRequest.Builder::header}.
     *
     * @param resource the name under which the server guards the resource; usually the election's name
     * @param term the fencing token, {@code leadership.term()}
     * @param setter the function that takes the name and the value of a header; another example is
     *     {@code HttpURLConnection::setRequestProperty}
     * @throws IllegalArgumentException if the name or the term is out of the bounds of {@link Fence#admit}
     */
    public static void put(String resource, long term, BiConsumer<String, String> setter) {
        ElectionNames.check("resource", resource);
        if (term < 1) {
            throw new IllegalArgumentException("term is " + term + "; terms start at 1");
        }
        setter.accept(TOKEN, Long.toString(term));
        setter.accept(RESOURCE, encoded(resource));
    }

    /**
     * Parses a value of {@value #TOKEN}.
     *
     * @throws IllegalArgumentException if the value is not a term; the message explains the fault to people
     */
    public static long term(String value) {
        boolean digits = !value.isEmpty() && value.chars().allMatch(c -> c >= '0' && c <= '9');
        if (digits && value.length() <= MAX_TOKEN_VALUE) {
            try {
                long term = Long.parseLong(value);
                if (term >= 1) {
                    return term;
                }
            } catch (NumberFormatException e) {
                // The value has nineteen digits and is above the maximum. The exception below reports it.
            }
        }
        throw new IllegalArgumentException(
                TOKEN + " is " + shown(value) + "; it is a term: a whole number from 1 to " + Long.MAX_VALUE);
    }

    /**
     * Parses a value of {@value #RESOURCE}.
     *
     * @throws IllegalArgumentException if the value is malformed; the message explains the fault to people
     */
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
        if (from + 2 > value.length()
                || !HexFormat.isHexDigit(value.charAt(from))
                || !HexFormat.isHexDigit(value.charAt(from + 1))) {
            throw malformed(value);
        }
        return (byte) HexFormat.fromHexDigits(value, from, from + 2);
    }

    private static IllegalArgumentException malformed(String value) {
        return new IllegalArgumentException(RESOURCE + " is " + shown(value) + "; write visible ASCII characters as"
                + " they are, and %, comma, \" and all other characters as % and two hex digits per byte of UTF-8");
    }

    private static String shown(String value) {
        return value.length() <= SHOWN ? '"' + value + '"' : '"' + value.substring(0, SHOWN) + "...\"";
    }
}
