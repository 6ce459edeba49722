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
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Classes that are compiled from edited sources. A class loader prefers these classes to the real classes.
 *
 * <p>The classes are in a temporary folder, which {@link #close} deletes.
 */
final class Overlay implements AutoCloseable {

    private static final String CLASS_PATH = System.getProperty("java.class.path");

    private final Path classes;
    private final Loader loader;

    /**
     * Compiles the sources.
     *
     * @param sources the text of each source file, by its path
     * @throws IllegalStateException if the sources do not compile
     */
    Overlay(Map<String, String> sources) throws IOException {
        classes = Files.createTempDirectory("doyen-mutant");
        try {
            compile(sources);
            loader = new Loader(places());
        } catch (IOException | RuntimeException e) {
            delete();
            throw e;
        }
    }

    /**
     * Creates an instance of the overlay's version of this class.
     *
     * <p>The instance runs a seed, and returns the violation or an empty string.
     */
    @SuppressWarnings("unchecked")
    LongFunction<String> make(Class<? extends LongFunction<String>> world) {
        try {
            return (LongFunction<String>)
                    loader.loadClass(world.getName()).getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(world + " cannot be loaded: " + e, e);
        }
    }

    private void compile(Map<String, String> sources) {
        JavaCompiler compiler = Optional.ofNullable(ToolProvider.getSystemJavaCompiler())
                .orElseThrow(() -> new IllegalStateException(
                        "mutants need a compiler, which this Java does not have; run with a JDK"));
        List<Source> units = sources.entrySet().stream()
                .map(each -> new Source(each.getKey(), each.getValue()))
                .toList();
        var complaints = new StringWriter();
        List<String> options = List.of("-proc:none", "-nowarn", "-d", classes.toString(), "-cp", CLASS_PATH);
        if (!compiler.getTask(complaints, null, null, options, null, units).call()) {
            throw new IllegalStateException("the mutant does not compile: " + complaints);
        }
    }

    private URL[] places() throws MalformedURLException {
        var places = new ArrayList<URL>();
        places.add(classes.toUri().toURL());
        for (String place : CLASS_PATH.split(File.pathSeparator, -1)) {
            places.add(Path.of(place).toUri().toURL());
        }
        return places.toArray(URL[]::new);
    }

    @Override
    public void close() throws IOException {
        loader.close();
        delete();
    }

    private void delete() throws IOException {
        try (Stream<Path> all = Files.walk(classes)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String name, String text) {
            super(URI.create("string:///" + name), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    /** Loads all classes of Doyen, and prefers the edited classes. The parent loads all other classes. */
    private static final class Loader extends URLClassLoader {

        Loader(URL[] places) {
            super("mutant", places, Overlay.class.getClassLoader());
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
