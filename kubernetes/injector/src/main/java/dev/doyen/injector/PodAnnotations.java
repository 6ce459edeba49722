package dev.doyen.injector;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.regex.Pattern;

/**
 * The annotations of a pod, which can be missing.
 *
 * <p>The message of each rejection contains the name of the annotation.
 */
record PodAnnotations(JsonNode annotations) {

    private static final int LOWEST_PORT = 1024;
    private static final int HIGHEST_PORT = 65535;
    private static final int MAX_SHOWN = 80;

    boolean has(String annotation) {
        return annotations.hasNonNull(annotation);
    }

    Optional<String> text(String annotation) {
        return has(annotation) ? Optional.of(annotations.get(annotation).asText()) : Optional.empty();
    }

    void refuseUnknown(SortedSet<String> known) throws InjectionRefusedException {
        for (var names = annotations.fieldNames(); names.hasNext(); ) {
            var name = names.next();
            if (Marks.isOurs(name) && !known.contains(name)) {
                throw new InjectionRefusedException(
                        "annotation " + name + " is not known; known are " + String.join(", ", known));
            }
        }
    }

    Optional<String> matching(String annotation, Pattern pattern, String bound) throws InjectionRefusedException {
        var value = text(annotation);
        if (value.isPresent() && !pattern.matcher(value.get()).matches()) {
            throw refusal(annotation, bound);
        }
        return value;
    }

    int port(String annotation, int usual) throws InjectionRefusedException {
        var value = text(annotation);
        if (value.isEmpty()) {
            return usual;
        }
        int port = value.get().matches("[0-9]{1,5}") ? Integer.parseInt(value.get()) : 0;
        if (port < LOWEST_PORT || port > HIGHEST_PORT) {
            throw refusal(annotation, "a port from " + LOWEST_PORT + " to " + HIGHEST_PORT);
        }
        return port;
    }

    /** Returns the value, which must be one of {@code values}. The first of these is the default value. */
    String oneOf(String annotation, String... values) throws InjectionRefusedException {
        var value = text(annotation).orElse(values[0]);
        if (!List.of(values).contains(value)) {
            throw refusal(annotation, String.join(" or ", values));
        }
        return value;
    }

    InjectionRefusedException refusal(String annotation, String bound) {
        var value = shortened(text(annotation).orElse(""));
        return new InjectionRefusedException(
                "annotation " + annotation + " is \"" + value + "\"; it must be " + bound + ", or be left out");
    }

    /** Returns the value for a message, which contains only the start of a long value. */
    static String shortened(String value) {
        return value.length() <= MAX_SHOWN ? value : value.substring(0, MAX_SHOWN) + "...";
    }
}
