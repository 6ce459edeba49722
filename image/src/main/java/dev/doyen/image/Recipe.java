package dev.doyen.image;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which jars a program is made of, how it is started, and how much heap it is given.
 *
 * @param module the folder of the checkout where its jar is built
 * @param artifact its jar's name without the version
 * @param libraries names, without versions, of the jars that it needs beside its own; empty if it needs all that it is built
 *     with
 * @param arguments what is always said to it, before what a pod says
 * @param modulesLeftOut modules of the JDK that its jars have code for, but that it does not use
 */
public record Recipe(
        String imageName,
        String description,
        String module,
        String artifact,
        Optional<List<String>> libraries,
        String mainClass,
        List<String> arguments,
        List<Integer> ports,
        Set<String> modulesLeftOut,
        Heap heap) {

    /** {@code doyen elector}, with the stores that need no client library of a server. */
    static final Recipe ELECTOR = new Recipe(
            "doyen-elector",
            "Tells an app over HTTP which of its pods leads.",
            "server",
            "doyen-server",
            Optional.of(ofServer("doyen-store-kubernetes")),
            "dev.doyen.server.cli.Doyen",
            List.of("elector"),
            List.of(4040, 4041),
            Set.of(),
            new Heap(6, 32, 2));

    /** {@code doyen injector}. Each question may be 3 MiB of JSON, and is a tree of objects then. */
    static final Recipe INJECTOR = new Recipe(
            "doyen-injector",
            "Adds the elector to pods that ask for it by a label.",
            "injector",
            "doyen-injector",
            Optional.empty(),
            "dev.doyen.injector.cli.Injector",
            List.of(),
            List.of(8443),
            // Jackson asks whether they are there, and does without; Bouncy Castle's use of them is for stores of keys.
            Set.of("java.desktop", "java.sql", "java.xml"),
            new Heap(16, 64, 8));

    /** {@code doyen ring}. */
    static final Recipe RING = new Recipe(
            "doyen-ring",
            "Elects one of a few processes that only know each other, and tells an app over HTTP who leads.",
            "server",
            "doyen-server",
            Optional.of(ofServer("doyen-cluster", "jgroups")),
            "dev.doyen.server.cli.Doyen",
            List.of("ring"),
            List.of(4040, 4041, 7800, 7900),
            // JGroups' demos, and its ways to find others by a database or a script.
            Set.of("java.desktop", "java.scripting", "java.sql"),
            new Heap(8, 48, 3));

    /** The jars that each program of the server needs, the commands for a quorum included, and these. */
    private static List<String> ofServer(String... more) {
        return Stream.concat(
                        Stream.of(
                                "doyen-core",
                                "doyen-elector",
                                "doyen-hub",
                                "doyen-store-quorum",
                                "jackson-core",
                                "microraft",
                                "netty-buffer",
                                "netty-codec-base",
                                "netty-codec-compression",
                                "netty-codec-http",
                                "netty-common",
                                "netty-handler",
                                "netty-resolver",
                                "netty-transport",
                                "netty-transport-native-unix-common",
                                "picocli",
                                "slf4j-api",
                                "slf4j-jdk14",
                                "snakeyaml-engine"),
                        Stream.of(more))
                .toList();
    }

    /** In MiB. */
    public record Heap(int atStart, int atMost, int young) {}
}
