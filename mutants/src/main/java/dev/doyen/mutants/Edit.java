package dev.doyen.mutants;

/** {@code before} is replaced by {@code after}; it stands in {@code file}, a name without a folder, exactly once. */
public record Edit(String file, String before, String after) {

    String in(String source) {
        int at = source.indexOf(before);
        if (at < 0 || source.indexOf(before, at + 1) >= 0) {
            throw new IllegalStateException("its text stands " + (at < 0 ? "nowhere" : "more than once") + " in " + file
                    + ", it must stand there once; bring the table up to date: " + before);
        }
        return source.replace(before, after);
    }
}
