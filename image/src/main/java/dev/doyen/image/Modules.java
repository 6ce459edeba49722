package dev.doyen.image;

import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Which of the JDK's modules go into a runtime: those that {@code jdeps} sees the jars use, without those
 * that it need not have, and with what jdeps cannot see.
 */
public final class Modules {

    /** Elliptic curves, which TLS finds by a service; part of java.base from 22 on, but still there. */
    private static final String CURVES = "jdk.crypto.ec";

    private static final Pattern LINE = Pattern.compile("([a-z][a-z.]*)(/\\S+)?");

    private Modules() {}

    /**
     * Their names.
     *
     * @param said the answer of {@code jdeps --list-deps}: a module on each line, or a package of one
     * @param leftOut what the jars have code for that the program does not use; each must be in the answer
     */
    public static SortedSet<String> of(String said, Set<String> leftOut) {
        SortedSet<String> modules = new TreeSet<>();
        said.lines().map(String::strip).filter(line -> !line.isEmpty()).forEach(line -> {
            var module = LINE.matcher(line);
            if (!module.matches()) {
                throw new IllegalArgumentException("jdeps does not say which modules the jars use, but: " + line);
            }
            modules.add(module.group(1));
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
