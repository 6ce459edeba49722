package dev.doyen.cli.doctor;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The result of one check.
 *
 * @param name one word, the same in every run
 * @param sentence the result as a sentence for people
 * @param remedy what to do; empty if nothing is necessary
 * @param measured numbers for programs, with the unit in the name, in the order of display
 */
public record Check(String name, Verdict verdict, String sentence, String remedy, Map<String, Long> measured) {

    /** The meaning of a result. */
    public enum Verdict {
        OK,
        /** Elections work, but not as well as possible or as required. */
        WARN,
        /** Elections do not work, or are not safe. */
        FAIL
    }

    public Check {
        measured = Collections.unmodifiableMap(new LinkedHashMap<>(measured));
    }

    public static Check ok(String name, String sentence) {
        return new Check(name, Verdict.OK, sentence, "", Map.of());
    }

    public static Check warn(String name, String sentence, String remedy) {
        return new Check(name, Verdict.WARN, sentence, remedy, Map.of());
    }

    public static Check fail(String name, String sentence, String remedy) {
        return new Check(name, Verdict.FAIL, sentence, remedy, Map.of());
    }

    Check measuring(Map<String, Long> numbers) {
        return new Check(name, verdict, sentence, remedy, numbers);
    }
}
