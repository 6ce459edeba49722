package dev.doyen.image;

import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Selects the JDK modules of a runtime.
 *
 * <p>The selection contains the modules that {@code jdeps} finds, except the modules that the program does not use. The
 * class adds {@code jdk.crypto.ec}, which {@code jdeps} cannot find.
 */
public final class Modules {

    /**
     * The module for elliptic curves. TLS loads this module as a service. Java 22 and later contain elliptic curves in
     * java.base, but this module still exists.
     */
    private static final String CURVES = "jdk.crypto.ec";

    /**
     * The start of a line about a class that no JDK contains any more. A library refers to such a class only if it also
     * runs with older JDKs.
     */
    private static final String REMOVED = "JDK removed internal API";

    private static final Pattern LINE = Pattern.compile("([a-z][a-z.]*)(/\\S+)?");

    private Modules() {}

    /**
     * Returns the names of the modules.
     *
     * @param output the output of {@code jdeps --list-deps}: each line contains a module, or a module and one of its
     *     packages
     * @param leftOut the modules to which the jars refer, but which the program does not use; each must be in the
     *     output
     * @throws IllegalArgumentException if a line does not have this form, or if no jar refers to a module in
     *     {@code leftOut}
     */
    public static SortedSet<String> of(String output, Set<String> leftOut) {
        SortedSet<String> modules = new TreeSet<>();
        output.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith(REMOVED))
                .forEach(line -> {
                    var module = LINE.matcher(line);
                    if (!module.matches()) {
                        throw new IllegalArgumentException("jdeps printed no list of modules, but: " + line);
                    }
                    // The modules of the jars are skipped, because the jars are on the class path.
                    if (module.group(1).startsWith("java.") || module.group(1).startsWith("jdk.")) {
                        modules.add(module.group(1));
                    }
                });
        for (var each : leftOut) {
            if (!modules.remove(each)) {
                throw new IllegalArgumentException("no jar uses " + each + " any more; remove it from Recipe");
            }
        }
        modules.add(CURVES);
        return modules;
    }
}
