package dev.doyen.ring;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * A rule broken on purpose: some texts of the sources are replaced, each of which stands in its file once. Compiled aside, and
 * loaded in front of the real classes.
 *
 * @param rule the number in docs/spec/ring.md; those with Q are hunted in worlds with voters
 * @param name what the broken machine does
 * @param from the first seed to be tried: some worlds before the one that is known to show it, to save time
 * @param edits a file, what is replaced there and by what; then perhaps another
 */
record RingMutant(String rule, String name, long from, List<String> edits) {

    private static final Path SOURCES = Path.of("src", "main", "java", "dev", "doyen", "ring");

    static RingMutant of(String rule, String name, long from, String... edits) {
        return new RingMutant(rule, name, from, List.of(edits));
    }

    /**
     * Runs seeds in order until one shows it.
     *
     * @param aside an empty directory
     * @return the first seed that shows it and how, or ""
     */
    String hunt(Path aside, boolean hasVoters, int runs) throws Exception {
        compile(aside);
        var places = new URL[] {aside.toUri().toURL(), placeOf(RingSeedRun.class), placeOf(RingMachine.class)};
        try (var loader = new Loader(places)) {
            @SuppressWarnings("unchecked")
            var world = (BiFunction<Boolean, Long, String>) loader.loadClass(RingSeedRun.class.getName())
                    .getConstructor()
                    .newInstance();
            for (long seed = from; seed < from + runs; seed++) {
                String violation = world.apply(hasVoters, seed);
                if (!violation.isEmpty()) {
                    return "seed " + seed + ": " + violation;
                }
            }
            return "";
        }
    }

    private void compile(Path aside) throws IOException {
        Map<String, String> texts = new LinkedHashMap<>();
        for (int i = 0; i < edits.size(); i += 3) {
            String file = edits.get(i);
            String before = edits.get(i + 1);
            String text = texts.containsKey(file) ? texts.get(file) : Files.readString(SOURCES.resolve(file));
            int at = text.indexOf(before);
            if (at < 0 || text.indexOf(before, at + 1) >= 0) {
                throw new IllegalStateException("mutant \"" + name + "\": its text must stand once in " + file
                        + ", bring the table up to date: " + before);
            }
            texts.put(file, text.replace(before, edits.get(i + 2)));
        }
        List<Source> units = texts.entrySet().stream()
                .map(each -> new Source(each.getKey(), each.getValue()))
                .toList();
        var complaints = new StringWriter();
        var options =
                List.of("-proc:none", "-nowarn", "-d", aside.toString(), "-cp", System.getProperty("java.class.path"));
        var compiler =
                Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "a JDK has a compiler; run with one");
        if (!compiler.getTask(complaints, null, null, options, null, units).call()) {
            throw new IllegalStateException("mutant \"" + name + "\" does not compile: " + complaints);
        }
    }

    private static URL placeOf(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }

    @Override
    public String toString() {
        return rule + " " + name;
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String file, String text) {
            super(URI.create("string:///dev/doyen/ring/" + file), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    /** Finds the ring's classes by itself, the mutant's first, and leaves all others to its parent. */
    private static final class Loader extends URLClassLoader {

        Loader(URL[] places) {
            super("ring-mutant", places, RingMutant.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("dev.doyen.ring.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                return known != null ? known : findClass(name);
            }
        }
    }
}
