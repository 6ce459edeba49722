package dev.doyen.mutants;

/**
 * Replaces {@code before} by {@code after} in a source file.
 *
 * @param file the name of the file without its folder; {@code before} must occur in the file exactly once
 */
public record Edit(String file, String before, String after) {

    String in(String source) {
        int at = source.indexOf(before);
        if (at < 0 || source.indexOf(before, at + 1) >= 0) {
            throw new IllegalStateException("its text occurs " + (at < 0 ? "nowhere" : "more than once") + " in " + file
                    + ", it must stand there once; bring the table up to date: " + before);
        }
        return source.replace(before, after);
    }
}
