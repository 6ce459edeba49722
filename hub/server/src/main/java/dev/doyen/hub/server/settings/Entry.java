package dev.doyen.hub.server.settings;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * A value of a settings file with its position.
 *
 * <p>Typed accessors throw {@link SettingsException} on a type mismatch.
 *
 * @param path the path of the value, such as {@code channels[2].slots}; empty for the whole file
 * @param value the value: a String, Long, Boolean, {@link #NOTHING}, a List or a Map of entries
 */
record Entry(String file, String path, int line, Object value) {

    /** The value of a field that the file leaves empty. */
    static final Object NOTHING = new Object();

    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");
    private static final int MAX_SHOWN = 60;

    /**
     * Returns the fields of an object. Throws {@link SettingsException} for a name that {@code known} does not contain.
     */
    Map<String, Entry> fields(Set<String> known) throws SettingsException {
        var fields = map("an object with any of " + String.join(", ", new TreeSet<>(known)));
        for (var field : fields.entrySet()) {
            if (!known.contains(field.getKey())) {
                throw field.getValue()
                        .refusal("is unknown; there are " + String.join(", ", new TreeSet<>(known)) + " here");
            }
        }
        return fields;
    }

    /** Returns the fields of an object. The field names can be any text. */
    Map<String, Entry> map(String expected) throws SettingsException {
        if (NOTHING.equals(value) && path.isEmpty()) {
            return Map.of();
        }
        if (!(value instanceof Map<?, ?> map)) {
            throw mistyped(expected);
        }
        var fields = new LinkedHashMap<String, Entry>();
        map.forEach((name, entry) -> fields.put((String) name, (Entry) entry));
        return fields;
    }

    List<Entry> list(String expected) throws SettingsException {
        if (!(value instanceof List<?> list)) {
            throw mistyped(expected);
        }
        var items = new ArrayList<Entry>();
        list.forEach(item -> items.add((Entry) item));
        return items;
    }

    boolean isList() {
        return value instanceof List<?>;
    }

    /** Returns the value as text. The method also accepts an unquoted number or boolean. */
    String text(String expected) throws SettingsException {
        if (value instanceof String || value instanceof Long || value instanceof Boolean) {
            return value.toString();
        }
        throw mistyped(expected);
    }

    /** Returns true if the value is this text. */
    boolean is(String text) {
        return value.equals(text);
    }

    boolean bool() throws SettingsException {
        return bool("true or false");
    }

    boolean bool(String expected) throws SettingsException {
        if (value instanceof Boolean bool) {
            return bool;
        }
        throw mistyped(expected);
    }

    long number(long least, long most) throws SettingsException {
        if (value instanceof Long number && number >= least && number <= most) {
            return number;
        }
        throw mistyped("a whole number from " + least + " to " + most);
    }

    int count(int least, int most) throws SettingsException {
        return Math.toIntExact(number(least, most));
    }

    Duration duration(Duration least, Duration most) throws SettingsException {
        var matcher = DURATION.matcher(value instanceof String text ? text : "");
        if (matcher.matches()) {
            long number = Long.parseLong(matcher.group(1));
            var duration = switch (matcher.group(2)) {
                case "ms" -> Duration.ofMillis(number);
                case "s" -> Duration.ofSeconds(number);
                case "m" -> Duration.ofMinutes(number);
                case "h" -> Duration.ofHours(number);
                default -> Duration.ofDays(number);
            };
            if (duration.compareTo(least) >= 0 && duration.compareTo(most) <= 0) {
                return duration;
            }
        }
        throw mistyped("a time from " + spelled(least) + " to " + spelled(most) + ", like 500ms, 10s, 2m, 24h or 7d");
    }

    /**
     * Returns the result of {@code check}. If the check throws an {@link IllegalArgumentException}, the method throws a
     * {@link SettingsException} with the position of this entry.
     */
    <T> T checked(Check<T> check) throws SettingsException {
        try {
            return check.make();
        } catch (IllegalArgumentException e) {
            throw refusal(": " + e.getMessage());
        }
    }

    @FunctionalInterface
    interface Check<T> {
        T make() throws SettingsException;
    }

    /**
     * Returns the value without positions. Two such values are equal if they have the same fields and values. The order
     * of the fields does not matter.
     */
    Object withoutPosition() {
        if (value instanceof List<?> list) {
            return list.stream().map(item -> ((Entry) item).withoutPosition()).toList();
        }
        if (value instanceof Map<?, ?> map) {
            var fields = new LinkedHashMap<Object, Object>();
            map.forEach((name, entry) -> fields.put(name, ((Entry) entry).withoutPosition()));
            return fields;
        }
        return value;
    }

    SettingsException refusal(String sentence) {
        String what = path.isEmpty() ? "the file" : path;
        return new SettingsException(
                file + ":" + line + ": " + what + (sentence.startsWith(":") ? "" : " ") + sentence);
    }

    /** Formats a duration in the syntax of a settings file. */
    static String spelled(Duration duration) {
        long millis = duration.toMillis();
        if (millis % 86_400_000 == 0 && millis > 0) {
            return millis / 86_400_000 + "d";
        }
        if (millis % 3_600_000 == 0 && millis > 0) {
            return millis / 3_600_000 + "h";
        }
        if (millis % 60_000 == 0 && millis > 0) {
            return millis / 60_000 + "m";
        }
        return millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
    }

    private SettingsException mistyped(String expected) {
        return refusal("is " + shown() + "; give it " + expected);
    }

    private String shown() {
        if (NOTHING.equals(value)) {
            return "empty";
        }
        if (value instanceof List<?> list) {
            return "a list of " + list.size();
        }
        if (value instanceof Map<?, ?>) {
            return "an object";
        }
        // A secret in the wrong place must not appear in a log.
        if (path.startsWith("keys")) {
            return "something else";
        }
        String text = value.toString();
        return "\"" + (text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "...") + "\"";
    }
}
