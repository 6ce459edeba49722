package dev.doyen.hub.rest;

import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Percent-encodes and decodes UTF-8 text (RFC 3986, section 2). A plus sign in a query is a space. */
final class Percent {

    private static final String UNRESERVED = "-._~";

    private Percent() {}

    static String decodePath(String text) throws Refusal {
        return decode(text, '+');
    }

    static String decodeQuery(String text) throws Refusal {
        return decode(text, ' ');
    }

    /**
     * Encodes all characters except ASCII letters, digits and {@code -._~}. SDKs split headers and queries at some of
     * the other characters.
     */
    static String encode(String text) {
        var out = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            int c = b & 0xff;
            boolean plain = (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || UNRESERVED.indexOf(c) >= 0;
            if (plain) {
                out.append((char) c);
            } else {
                out.append('%').append(hex(c >> 4)).append(hex(c & 15));
            }
        }
        return out.toString();
    }

    private static char hex(int digit) {
        return Character.toUpperCase(Character.forDigit(digit, 16));
    }

    private static String decode(String text, char plus) throws Refusal {
        if (text.indexOf('%') < 0 && text.indexOf('+') < 0) {
            return text;
        }
        var bytes = new ByteArrayOutputStream(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%') {
                bytes.write(escaped(text, i));
                i += 2;
            } else {
                bytes.writeBytes(String.valueOf(c == '+' ? plus : c).getBytes(StandardCharsets.UTF_8));
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw bad(text, "are not UTF-8");
        }
    }

    private static int escaped(String text, int at) throws Refusal {
        if (at + 2 >= text.length()
                || !HexFormat.isHexDigit(text.charAt(at + 1))
                || !HexFormat.isHexDigit(text.charAt(at + 2))) {
            throw bad(text, "are not each followed by two hexadecimal digits");
        }
        return HexFormat.fromHexDigits(text, at + 1, at + 3);
    }

    private static Refusal bad(String text, String what) {
        return new Refusal(ErrorCode.BAD_REQUEST, "the percent signs in " + Quote.of(text) + " " + what);
    }
}
