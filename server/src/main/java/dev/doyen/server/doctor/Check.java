package dev.doyen.server.doctor;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One thing that was looked at, and what was found.
 *
 * @param name one word, the same in every run
 * @param sentence what was found, for people
 * @param remedy what to do about it; empty if nothing needs to be done
 * @param measured numbers for programs, with the unit in the name, in the order in which they are shown
 */
public record Check(String name, Verdict verdict, String sentence, String remedy, Map<String, Long> measured) {

    /** What a finding means. */
    public enum Verdict {
        OK,
        /** Elections work, but worse than they could, or than was asked for. */
        WARN,
        /** Elections do not work here, or not safely. */
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
