package dev.doyen.client.state;

import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Parses one JSON object of limited size into a flat map.
 *
 * <p>The name of a field of an inner object contains a dot ({@code leader.id}). The name of an array element contains
 * the element's index. The parser is stricter than many parsers: no text may follow the object, and no field may occur
 * twice. Source: RFC 8259.
 */
final class FlatJson {

    /**
     * The maximum length of the text in characters. An answer has about 100 characters, or 1,000 characters if it
     * states a long reason.
     */
    static final int MAX_LENGTH = 64 * 1024;

    static final int MAX_DEPTH = 8;

    enum Kind {
        TEXT,
        NUMBER,
        /** One of the words true, false and null. */
        LITERAL
    }

    record Value(Kind kind, String text) {
        boolean isNull() {
            return kind == Kind.LITERAL && text.equals("null");
        }
    }

    private final String json;
    private final Map<String, Value> fields = new LinkedHashMap<>();
    private int at;

    private FlatJson(String json) {
        this.json = json;
    }

    /** @throws IllegalArgumentException if the text is not one complete object. The message contains the position */
    static Map<String, Value> read(String json) {
        if (json.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "an answer of " + json.length() + " characters is more than " + MAX_LENGTH);
        }
        var reader = new FlatJson(json);
        reader.blank();
        reader.object("", 1);
        reader.blank();
        if (reader.at < json.length()) {
            throw reader.wrong("nothing may follow the object");
        }
        return reader.fields;
    }

    private void object(String prefix, int depth) {
        need('{');
        deepEnough(depth);
        blank();
        if (skip('}')) {
            return;
        }
        do {
            blank();
            String name = text();
            blank();
            need(':');
            blank();
            // A name with a dot could be mistaken for the field of an inner object, so a "?" precedes it in the map.
            // The client uses no field whose name contains a dot.
            value(name.indexOf('.') < 0 ? prefix + name : prefix + "?" + name, depth);
            blank();
        } while (skip(','));
        need('}');
    }

    private void array(String name, int depth) {
        need('[');
        deepEnough(depth);
        blank();
        if (skip(']')) {
            return;
        }
        for (int i = 0; ; i++) {
            blank();
            value(name + "[" + i + "]", depth);
            blank();
            if (!skip(',')) {
                break;
            }
        }
        need(']');
    }

    private void value(String name, int depth) {
        char next = peek();
        if (next == '{') {
            object(name + ".", depth + 1);
        } else if (next == '[') {
            array(name, depth + 1);
        } else if (next == '"') {
            put(name, new Value(Kind.TEXT, text()));
        } else if (next == '-' || (next >= '0' && next <= '9')) {
            put(name, new Value(Kind.NUMBER, number()));
        } else {
            put(name, new Value(Kind.LITERAL, literal()));
        }
    }

    private void put(String name, Value value) {
        if (fields.put(name, value) != null) {
            throw wrong("a field comes twice");
        }
    }

    private String literal() {
        for (String literal : new String[] {"true", "false", "null"}) {
            if (json.startsWith(literal, at)) {
                at += literal.length();
                return literal;
            }
        }
        throw wrong("a value is expected");
    }

    private String number() {
        int from = at;
        skip('-');
        if (!skip('0')) {
            digits();
        }
        if (skip('.')) {
            digits();
        }
        if (skip('e') || skip('E')) {
            if (!skip('+')) {
                skip('-');
            }
            digits();
        }
        return json.substring(from, at);
    }

    private void digits() {
        int from = at;
        while (at < json.length() && json.charAt(at) >= '0' && json.charAt(at) <= '9') {
            at++;
        }
        if (at == from) {
            throw wrong("a digit is expected");
        }
    }

    private String text() {
        need('"');
        var text = new StringBuilder();
        while (true) {
            char next = take();
            if (next == '"') {
                return text.toString();
            }
            if (next < ' ') {
                throw wrong("a control character must be escaped");
            }
            text.append(next == '\\' ? escaped() : next);
        }
    }

    private char escaped() {
        char next = take();
        return switch (next) {
            case '"', '\\', '/' -> next;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> hex();
            default -> throw wrong("unknown escape sequence");
        };
    }

    private char hex() {
        int code = 0;
        for (int i = 0; i < 4; i++) {
            char digit = take();
            if (!HexFormat.isHexDigit(digit)) {
                throw wrong("four hexadecimal digits are expected");
            }
            code = code * 16 + HexFormat.fromHexDigit(digit);
        }
        return (char) code;
    }

    private void blank() {
        while (at < json.length() && " \t\r\n".indexOf(json.charAt(at)) >= 0) {
            at++;
        }
    }

    private boolean skip(char expected) {
        boolean there = at < json.length() && json.charAt(at) == expected;
        at += there ? 1 : 0;
        return there;
    }

    private void need(char expected) {
        if (!skip(expected)) {
            throw wrong("'" + expected + "' is expected");
        }
    }

    private char peek() {
        if (at >= json.length()) {
            throw wrong("the object ends too early");
        }
        return json.charAt(at);
    }

    private char take() {
        char next = peek();
        at++;
        return next;
    }

    private void deepEnough(int depth) {
        if (depth > MAX_DEPTH) {
            throw wrong("objects are nested deeper than " + MAX_DEPTH + " levels");
        }
    }

    private IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException("not the answer of an elector, at character " + at + ": " + what);
    }
}
