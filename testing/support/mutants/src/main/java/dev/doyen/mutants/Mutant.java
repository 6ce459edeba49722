package dev.doyen.mutants;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * A deliberate change of the sources that breaks a rule. The method {@link #hunt} compiles the edited sources into a
 * separate folder, and loads the compiled classes instead of the real classes.
 *
 * @param rule the number of the rule in docs/spec
 * @param name the behaviour of the broken machine
 * @param from the first seed to try: 1, or to save time, a number just below a seed that is known to expose the mutant
 */
public record Mutant(String rule, String name, long from, List<Edit> edits) {

    public Mutant {
        edits = List.copyOf(edits);
    }

    /** Creates a mutant whose first seed is 1. */
    public Mutant(String rule, String name, List<Edit> edits) {
        this(rule, name, 1, edits);
    }

    /**
     * Creates a mutant from groups of three strings.
     *
     * <p>A group contains the file, the text to replace, and the replacement.
     */
    public static Mutant of(String rule, String name, String... edits) {
        return of(rule, name, 1, edits);
    }

    public static Mutant of(String rule, String name, long from, String... edits) {
        var all = new ArrayList<Edit>();
        for (int i = 0; i < edits.length; i += 3) {
            all.add(new Edit(edits[i], edits[i + 1], edits[i + 2]));
        }
        return new Mutant(rule, name, from, all);
    }

    /** Returns a mutant with unchanged sources. No seed may expose this mutant. */
    public static Mutant unharmed(String file, String text) {
        return of("none", "unharmed", file, text, text);
    }

    /**
     * Runs seeds in order until one exposes the mutant.
     *
     * <p>The mutant edits the sources in the package of {@code world}.
     */
    public Fate hunt(Class<? extends SeededWorld> world, int runs) throws IOException {
        return hunt(world, SourceTree.around(world), runs);
    }

    /**
     * Runs seeds in order until one exposes the mutant.
     *
     * @param world a class with a public constructor, whose instances run a seed and return the violation, or ""
     * @param runs the number of seeds to try
     * @throws IllegalStateException if the mutant cannot be built
     */
    public Fate hunt(Class<? extends LongFunction<String>> world, SourceTree sources, int runs) throws IOException {
        try (var overlay = new Overlay(edited(sources))) {
            LongFunction<String> broken = overlay.make(world);
            for (long seed = from; seed < from + runs; seed++) {
                String violation = broken.apply(seed);
                if (!violation.isEmpty()) {
                    return new Fate(seed, violation);
                }
            }
            return new Fate(0, "");
        } catch (IllegalStateException e) {
            throw new IllegalStateException("mutant \"" + name + "\": " + e.getMessage(), e);
        }
    }

    private Map<String, String> edited(SourceTree sources) throws IOException {
        Map<String, String> texts = new LinkedHashMap<>();
        for (Edit edit : edits) {
            String name = sources.nameOf(edit.file());
            String text = texts.containsKey(name) ? texts.get(name) : sources.read(name);
            texts.put(name, edit.in(text));
        }
        return texts;
    }

    @Override
    public String toString() {
        return rule + " " + name;
    }
}
