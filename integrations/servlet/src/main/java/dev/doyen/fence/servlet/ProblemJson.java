package dev.doyen.fence.servlet;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.StringJoiner;

/**
 * Writes one flat JSON object of strings and numbers, without a JSON library.
 *
 * <p>The writer escapes quotes, backslashes, and all characters that are not printable ASCII. Therefore the encoding of
 * the response does not matter.
 */
final class ProblemJson {

    private ProblemJson() {}

    static byte[] bytes(Map<String, Object> members) {
        var object = new StringJoiner(",", "{", "}\n");
        members.forEach((name, value) ->
                object.add(text(name) + ":" + (value instanceof Number ? value.toString() : text(value.toString()))));
        return object.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static String text(String value) {
        var json = new StringBuilder("\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ' || c > '~') {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }
}
