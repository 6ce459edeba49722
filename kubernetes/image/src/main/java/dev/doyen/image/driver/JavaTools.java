package dev.doyen.image.driver;

import dev.doyen.image.Modules;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.FindException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/** Runs {@code jdeps} and {@code jlink} of the current JDK. */
final class JavaTools {

    private static final String JARS_FOR = "17";

    private JavaTools() {}

    /**
     * Returns the modules that this program needs.
     *
     * @param merged the merged jar, which contains no descriptions of modules; for a described module, jdeps would
     *     require all modules that the description names
     * @param leftOut the modules to which the jar refers, but which the program does not use
     */
    static SortedSet<String> modules(Path merged, Set<String> leftOut) {
        var output = run(
                "jdeps",
                Stream.of("--multi-release", JARS_FOR, "--ignore-missing-deps", "--list-deps", merged.toString()));
        return Modules.of(output, leftOut);
    }

    /**
     * Links a runtime into the folder {@code runtime}, which must not exist yet.
     *
     * @param jmods the folder with the modules of another system; empty for those of the current JDK
     */
    static void link(SortedSet<String> modules, Optional<Path> jmods, Path runtime) {
        // Without a module path, jlink uses its own JDK. A newer JDK has no folder jmods.
        var modulePath = jmods.stream().flatMap(folder -> Stream.of("--module-path", folder.toString()));
        var options = Stream.of(
                "--add-modules",
                String.join(",", modules),
                "--output",
                runtime.toString(),
                "--strip-java-debug-attributes",
                "--no-header-files",
                "--no-man-pages",
                // Java needs this list only to create its own class-data archive.
                "--exclude-files",
                "**/lib/classlist");
        run("jlink", Stream.concat(modulePath, options));
    }

    private static String run(String name, Stream<String> arguments) {
        var tool = ToolProvider.findFirst(name)
                .orElseThrow(() -> new ImageRefusedException(
                        "this Java has no " + name + "; run with a JDK, 17 or newer (Debian: apt-get install"
                                + " openjdk-17-jdk-headless), or point JAVA_HOME at one"));
        var output = new StringWriter();
        var out = new PrintWriter(output, true);
        var given = arguments.toArray(String[]::new);
        int exit;
        try {
            exit = tool.run(out, out, given);
        } catch (FindException e) {
            throw new ImageRefusedException(name + " failed: " + e.getMessage() + "; add its jar to Recipe", e);
        }
        if (exit != 0) {
            var home = System.getProperty("java.home");
            throw new ImageRefusedException(name + " failed in " + home + ": "
                    + output.toString().strip()
                    + "; if it is modules that are missing: this JDK has no folder jmods and cannot link from itself;"
                    + " take another (Debian: openjdk-17-jdk-headless). It was given " + Arrays.toString(given));
        }
        return output.toString();
    }
}
