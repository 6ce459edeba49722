package dev.doyen.image;

import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Parses the output of {@code ldd}, which lists the shared libraries that a program needs. */
public final class SharedObjects {

    private static final Pattern FOUND = Pattern.compile("^\\s+(?:\\S+ => )?(/\\S+) \\(0x[0-9a-f]+\\)$");
    private static final Pattern MISSING = Pattern.compile("^\\s+(\\S+) => not found$");

    private SharedObjects() {}

    /**
     * Returns the absolute paths of the libraries that the loader found.
     *
     * @param own the names of the libraries that the program contains; the program loads its own copies, so this
     *     machine need not have them
     * @throws IllegalArgumentException if a library is missing on this machine
     */
    public static SortedSet<String> of(String program, List<String> output, Set<String> own) {
        SortedSet<String> paths = new TreeSet<>();
        for (var line : output) {
            var missing = MISSING.matcher(line);
            if (missing.matches() && !own.contains(missing.group(1))) {
                throw new IllegalArgumentException(
                        program + " needs " + missing.group(1) + ", which this machine does not have");
            }
            var found = FOUND.matcher(line);
            if (found.matches()) {
                paths.add(found.group(1));
            }
        }
        return paths;
    }
}
