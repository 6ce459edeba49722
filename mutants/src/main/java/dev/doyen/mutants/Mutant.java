package dev.doyen.mutants;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * A rule broken on purpose: compiled aside, and loaded in front of the real classes.
 *
 * @param rule its number in docs/spec
 * @param name what the broken machine does
 * @param from the first seed to be tried: some worlds before the one that is known to show it, to save time
 */
public record Mutant(String rule, String name, long from, List<Edit> edits) {

    public Mutant {
        edits = List.copyOf(edits);
    }

    /** Tried from the first seed on. */
    public Mutant(String rule, String name, List<Edit> edits) {
        this(rule, name, 1, edits);
    }

    /** Edits in threes: a file, what is replaced there and by what; then perhaps another. */
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

    /** The sources as they are: what is compiled aside without a change must keep all promises. */
    public static Mutant unharmed(String file, String text) {
        return of("none", "unharmed", file, text, text);
    }

    /** Runs seeds in order until one shows it; the sources are those around the world. */
    public Fate hunt(Class<? extends SeededWorld> world, int runs) throws IOException {
        return hunt(world, SourceTree.around(world), runs);
    }

    /**
     * The same with sources elsewhere.
     *
     * @param world a class with a public constructor that runs a seed and tells the violation, or ""
     * @throws IllegalStateException if it cannot be built
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
