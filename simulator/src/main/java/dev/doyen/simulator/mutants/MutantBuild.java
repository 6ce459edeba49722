package dev.doyen.simulator.mutants;

import dev.doyen.lease.LeaseMachine;
import dev.doyen.simulator.SeedRun;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** A mutant compiled into a temporary directory, and loaded in front of the real classes; both gone when closed. */
final class MutantBuild implements AutoCloseable {

    private final Path classes;
    private final Loader loader;

    MutantBuild(Mutant mutant, Map<String, String> sources) throws IOException {
        classes = Files.createTempDirectory("doyen-mutant");
        compile(mutant, sources);
        loader = new Loader(new URL[] {
            classes.toUri().toURL(), placeOf(SeedRun.class), placeOf(LeaseMachine.class),
        });
    }

    /** The simulation, run with the mutant; both are classes of their own in here. */
    @SuppressWarnings("unchecked")
    LongFunction<String> simulation(Class<? extends LongFunction<String>> world) {
        try {
            return (LongFunction<String>)
                    loader.loadClass(world.getName()).getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the mutant cannot be loaded: " + e, e);
        }
    }

    private void compile(Mutant mutant, Map<String, String> sources) {
        JavaCompiler compiler = Optional.ofNullable(ToolProvider.getSystemJavaCompiler())
                .orElseThrow(() -> new IllegalStateException(
                        "there is a Java, but no compiler, and mutants must be compiled; run with a JDK"));
        List<JavaFileObject> units = new ArrayList<>();
        sources.forEach((name, text) -> units.add(new Source(name, text)));
        var complaints = new StringWriter();
        List<String> options = List.of(
                "-proc:none", "-nowarn", "-d", classes.toString(), "-cp", System.getProperty("java.class.path"));
        if (!compiler.getTask(complaints, null, null, options, null, units).call()) {
            throw new IllegalStateException("mutant \"" + mutant.name() + "\" does not compile: " + complaints);
        }
    }

    private static URL placeOf(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }

    @Override
    public void close() throws IOException {
        loader.close();
        try (Stream<Path> all = Files.walk(classes)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String name, String text) {
            super(URI.create("string:///dev/doyen/" + name), Kind.SOURCE);
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
            super("mutant", places, SeedRun.class.getClassLoader());
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
