package dev.doyen.elector;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Decodes percent-encoded text and rejects malformed input. Source: RFC 3986, section 2.1. */
final class PercentDecoding {

    private PercentDecoding() {}

    /** Returns the decoded text. The result is empty if an escape is malformed or the bytes are not UTF-8. */
    static Optional<String> decode(String encoded) {
        if (encoded.indexOf('%') < 0) {
            return Optional.of(encoded);
        }
        var bytes = new ByteArrayOutputStream(encoded.length());
        for (int at = 0; at < encoded.length(); at++) {
            char c = encoded.charAt(at);
            if (c != '%') {
                bytes.writeBytes(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
                continue;
            }
            if (at + 2 >= encoded.length()) {
                return Optional.empty();
            }
            int high = Character.digit(encoded.charAt(at + 1), 16);
            int low = Character.digit(encoded.charAt(at + 2), 16);
            if (high < 0 || low < 0) {
                return Optional.empty();
            }
            bytes.write(high << 4 | low);
            at += 2;
        }
        try {
            var decoder = StandardCharsets.UTF_8.newDecoder();
            return Optional.of(
                    decoder.decode(ByteBuffer.wrap(bytes.toByteArray())).toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
