package dev.doyen.image;

import java.util.List;

/**
 * Selects the classes that a pod will use.
 *
 * <p>The input is the list of classes that the JVM recorded in a rehearsal. A rehearsal is a run of the program during
 * the build of the image.
 */
public final class ClassList {

    /**
     * The classes that only a rehearsal loads. A rehearsal finds the API server through a kubeconfig file and a host
     * name. A pod uses its service account and an address instead.
     */
    private static final List<String> REHEARSAL_ONLY = List.of("org/snakeyaml/", "jdk/internal/icu/");

    private ClassList() {}

    public static List<String> forPods(List<String> rehearsed) {
        return rehearsed.stream()
                .filter(line -> REHEARSAL_ONLY.stream().noneMatch(line::contains))
                .toList();
    }
}
