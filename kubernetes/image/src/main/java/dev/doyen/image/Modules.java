package dev.doyen.image;

import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Selects the JDK modules of a runtime.
 *
 * <p>The selection contains the modules that {@code jdeps} finds, except those that the program does not use. It adds
 * the module that jdeps cannot find.
 */
public final class Modules {

    /**
     * The module for elliptic curves, which TLS finds through a service. Java 22 and later have them in java.base, but
     * still have this module.
     */
    private static final String CURVES = "jdk.crypto.ec";

    private static final Pattern LINE = Pattern.compile("([a-z][a-z.]*)(/\\S+)?");

    private Modules() {}

    /**
     * Returns the names of the modules.
     *
     * @param said the output of {@code jdeps --list-deps}: a module or a package of one on each line
     * @param leftOut modules that the jars refer to but the program does not use; each must be in the output
     * @throws IllegalArgumentException if a line is not of that form, or if no jar refers to a module in
     *     {@code leftOut}
     */
    public static SortedSet<String> of(String said, Set<String> leftOut) {
        SortedSet<String> modules = new TreeSet<>();
        said.lines().map(String::strip).filter(line -> !line.isEmpty()).forEach(line -> {
            var module = LINE.matcher(line);
            if (!module.matches()) {
                throw new IllegalArgumentException("jdeps does not say which modules the jars use, but: " + line);
            }
            // The modules of the jars themselves are on the class path.
            if (module.group(1).startsWith("java.") || module.group(1).startsWith("jdk.")) {
                modules.add(module.group(1));
            }
        });
        for (var each : leftOut) {
            if (!modules.remove(each)) {
                throw new IllegalArgumentException("no jar uses " + each + " any more; take it out of Recipe");
            }
        }
        modules.add(CURVES);
        return modules;
    }
}
