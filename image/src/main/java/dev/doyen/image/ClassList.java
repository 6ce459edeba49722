package dev.doyen.image;

import java.util.List;

/** The classes that a rehearsal used, as the JVM wrote them down, and which of them a pod will use too. */
public final class ClassList {

    /** A rehearsal finds its API server by a kubeconfig file and by name; a pod by its service account, and by address. */
    private static final List<String> REHEARSAL_ONLY = List.of("org/snakeyaml/", "jdk/internal/icu/");

    private ClassList() {}

    public static List<String> forPods(List<String> rehearsed) {
        return rehearsed.stream()
                .filter(line -> REHEARSAL_ONLY.stream().noneMatch(line::contains))
                .toList();
    }
}
