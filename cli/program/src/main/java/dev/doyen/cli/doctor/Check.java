package dev.doyen.cli.doctor;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The result of one check.
 *
 * @param name the name of the check, which is one word and the same in every run
 * @param sentence the result as a sentence for people
 * @param remedy the advice to the user; empty if no action is necessary
 * @param measured the measured numbers for programs, in the order of display; each name contains the unit
 */
public record Check(String name, Verdict verdict, String sentence, String remedy, Map<String, Long> measured) {

    /** The verdict of a check. */
    public enum Verdict {
        OK,
        /** Elections work, but worse than possible or required. */
        WARN,
        /** Elections do not work, or they are not safe. */
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
