package dev.doyen.image;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

/** Selects the jars that a program's image contains. */
public final class Jars {

    private Jars() {}

    /**
     * Returns the sorted file names of the libraries that the program needs. The list does not contain the program's
     * own jar.
     *
     * @param built the file names of all libraries with which the program was built
     * @throws IllegalArgumentException if a library is missing or occurs twice
     */
    public static List<String> needed(Recipe recipe, Collection<String> built) {
        if (recipe.libraries().isEmpty()) {
            return built.stream().sorted().toList();
        }
        List<String> chosen = new ArrayList<>();
        for (var artifact : recipe.libraries().get()) {
            var jar = Pattern.compile(Pattern.quote(artifact) + "-\\d[^/]*\\.jar");
            var found = built.stream().filter(jar.asMatchPredicate()).toList();
            if (found.size() != 1) {
                throw new IllegalArgumentException(recipe.imageName() + " needs one jar of " + artifact
                        + ", but was built with " + (found.isEmpty() ? "none" : found)
                        + "; correct the list in Recipe, or build again");
            }
            chosen.addAll(found);
        }
        return chosen.stream().sorted().toList();
    }
}
