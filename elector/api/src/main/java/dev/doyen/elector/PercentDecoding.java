package dev.doyen.elector;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
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
            if (at + 2 >= encoded.length()
                    || !HexFormat.isHexDigit(encoded.charAt(at + 1))
                    || !HexFormat.isHexDigit(encoded.charAt(at + 2))) {
                return Optional.empty();
            }
            bytes.write(HexFormat.fromHexDigits(encoded, at + 1, at + 3));
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
