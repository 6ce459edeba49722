package dev.doyen.image;

import java.util.List;

/**
 * Selects the classes that a pod will use.
 *
 * <p>It selects from the list that the JVM recorded in a rehearsal.
 */
public final class ClassList {

    /**
     * Classes that only a rehearsal loads. It finds the API server through a kubeconfig file and a host name; a pod
     * uses its service account and an address.
     */
    private static final List<String> REHEARSAL_ONLY = List.of("org/snakeyaml/", "jdk/internal/icu/");

    private ClassList() {}

    public static List<String> forPods(List<String> rehearsed) {
        return rehearsed.stream()
                .filter(line -> REHEARSAL_ONLY.stream().noneMatch(line::contains))
                .toList();
    }
}
