package dev.doyen.mutants;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongFunction;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * A rule broken on purpose: some texts of the sources are replaced, each of which stands in its file once. Compiled aside, and
 * loaded in front of the real classes.
 *
 * @param rule its number in docs/spec
 * @param name what the broken machine does
 * @param from the first seed to be tried: some worlds before the one that is known to show it, to save time
 * @param edits a file of the machine's package, what is replaced there and by what; then perhaps another
 */
public record Mutant(String rule, String name, long from, List<String> edits) {

    private static final Path SOURCES = Path.of("src", "main", "java");

    public static Mutant of(String rule, String name, long from, String... edits) {
        return new Mutant(rule, name, from, List.of(edits));
    }

    /** The sources as they are: what is compiled aside without a change must keep all promises. */
    public static Mutant unharmed(String file, String text) {
        return of("none", "unharmed", 1, file, text, text);
    }

    /**
     * Runs seeds in order until one shows it.
     *
     * @param world in whose package the machine is
     * @param aside an empty directory
     * @return the first seed that shows it and how, or ""
     */
    public String hunt(Class<? extends SeededWorld> world, Path aside, int runs) throws Exception {
        compile(world.getPackageName().replace('.', '/') + "/", aside);
        var places = new ArrayList<URL>();
        places.add(aside.toUri().toURL());
        for (String place : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            places.add(urlOf(place));
        }
        try (var loader = new Loader(places.toArray(URL[]::new))) {
            @SuppressWarnings("unchecked")
            var broken = (LongFunction<String>)
                    loader.loadClass(world.getName()).getConstructor().newInstance();
            for (long seed = from; seed < from + runs; seed++) {
                String violation = broken.apply(seed);
                if (!violation.isEmpty()) {
                    return "seed " + seed + ": " + violation;
                }
            }
            return "";
        }
    }

    private void compile(String folder, Path aside) throws IOException {
        Map<String, String> texts = new LinkedHashMap<>();
        for (int i = 0; i < edits.size(); i += 3) {
            String file = folder + edits.get(i);
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

    private static URL urlOf(String place) throws MalformedURLException {
        return Path.of(place).toUri().toURL();
    }

    @Override
    public String toString() {
        return rule + " " + name;
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String file, String text) {
            super(URI.create("string:///" + file), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    /** Finds Doyen's classes by itself, the mutant's first, and leaves all others to its parent. */
    private static final class Loader extends URLClassLoader {

        Loader(URL[] places) {
            super("mutant", places, Mutant.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("dev.doyen.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                return known != null ? known : findClass(name);
            }
        }
    }
}
