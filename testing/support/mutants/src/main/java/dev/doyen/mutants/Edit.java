package dev.doyen.mutants;

/**
 * Replaces {@code before} with {@code after} in a source file.
 *
 * @param file the name of the file without its folder; {@code before} must occur in the file exactly once
 */
public record Edit(String file, String before, String after) {

    String in(String source) {
        int at = source.indexOf(before);
        if (at < 0 || source.indexOf(before, at + 1) >= 0) {
            throw new IllegalStateException("the text to replace occurs " + (at < 0 ? "nowhere" : "more than once")
                    + " in " + file + ", but must occur once; update the table of mutants: " + before);
        }
        return source.replace(before, after);
    }
}
