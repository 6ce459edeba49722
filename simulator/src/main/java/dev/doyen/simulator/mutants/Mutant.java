package dev.doyen.simulator.mutants;

import dev.doyen.simulator.SeedRun;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * A rule broken on purpose.
 *
 * @param rule the number it has in docs/spec/lease.md
 * @param name what the broken machine does
 */
public record Mutant(String rule, String name, List<Edit> edits) {

    public Mutant {
        edits = List.copyOf(edits);
    }

    /** {@code before} is replaced by {@code after}; it stands in {@code file} exactly once. */
    public record Edit(String file, String before, String after) {

        String in(String mutant, String source) {
            int at = source.indexOf(before);
            if (at < 0 || source.indexOf(before, at + 1) >= 0) {
                throw new IllegalStateException("mutant \"" + mutant + "\": its text stands "
                        + (at < 0 ? "nowhere" : "more than once") + " in " + file
                        + ", it must stand there once; bring the table up to date: " + before);
            }
            return source.replace(before, after);
        }
    }

    /**
     * What became of it.
     *
     * @param seed the first that showed it, or 0
     * @param by the violation, or ""
     */
    public record Fate(long seed, String by) {
        public boolean isAlive() {
            return by.isEmpty();
        }
    }

    static Mutant of(String rule, String name, String file, String before, String after) {
        return new Mutant(rule, name, List.of(new Edit(file, before, after)));
    }

    /** Runs seeds in order until one shows it. Throws {@link IllegalStateException} if it cannot be built. */
    public Fate hunt(SourceTree sources, long firstSeed, int runs) throws IOException {
        return hunt(SeedRun.class, sources, firstSeed, runs);
    }

    /** The same in another world: a class that runs a seed and tells the violation, or "". */
    public Fate hunt(Class<? extends LongFunction<String>> world, SourceTree sources, long firstSeed, int runs)
            throws IOException {
        try (var build = new MutantBuild(this, edited(sources))) {
            LongFunction<String> simulation = build.simulation(world);
            for (long seed = firstSeed; seed < firstSeed + runs; seed++) {
                String violation = simulation.apply(seed);
                if (!violation.isEmpty()) {
                    return new Fate(seed, violation);
                }
            }
            return new Fate(0, "");
        }
    }

    private Map<String, String> edited(SourceTree sources) {
        Map<String, String> files = sources.files();
        for (Edit edit : edits) {
            String source = files.get(edit.file());
            if (source == null) {
                throw new IllegalStateException("mutant \"" + name + "\": there is no file " + edit.file());
            }
            files.put(edit.file(), edit.in(name, source));
        }
        return files;
    }
}
