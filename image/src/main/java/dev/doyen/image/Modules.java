package dev.doyen.image;

import java.util.Arrays;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Which of the JDK's modules go into a runtime: those that {@code jdeps} sees the jars use, and what it cannot see. */
public final class Modules {

    /** Elliptic curves, which TLS finds by a service; part of java.base from 22 on, but still there. */
    private static final String CURVES = "jdk.crypto.ec";

    private static final Pattern NAMES = Pattern.compile("[a-z.]+(,[a-z.]+)*");

    private Modules() {}

    /**
     * Their names.
     *
     * @param said the answer of {@code jdeps --print-module-deps}
     */
    public static SortedSet<String> of(String said) {
        var names = said.strip();
        if (!NAMES.matcher(names).matches()) {
            throw new IllegalArgumentException("jdeps does not say which modules the jars use, but: " + names);
        }
        SortedSet<String> modules = new TreeSet<>(Arrays.asList(names.split(",")));
        modules.add(CURVES);
        return modules;
    }
}
