package dev.doyen.image;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The content of a program's image: its jars, command, ports and heap.
 *
 * @param module the folder of the checkout where its jar is built
 * @param artifact the name of its jar without the version
 * @param libraries the names of the libraries that it needs, without versions; if empty, all that it is built with
 * @param arguments the arguments that come before those of the pod
 * @param modulesLeftOut JDK modules that its jars refer to but it does not use
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
            "cli/program",
            "doyen-cli",
            Optional.of(ofServer("doyen-store-kubernetes")),
            "dev.doyen.cli.Doyen",
            List.of("elector"),
            List.of(4040, 4041),
            Set.of(),
            new Heap(6, 32, 2));

    /** {@code doyen injector}. An admission request may be 3 MiB of JSON, which it parses into a tree of objects. */
    static final Recipe INJECTOR = new Recipe(
            "doyen-injector",
            "Adds the elector to pods that ask for it by a label.",
            "kubernetes/injector",
            "doyen-injector",
            Optional.empty(),
            "dev.doyen.injector.cli.Injector",
            List.of(),
            List.of(8443),
            // Jackson checks whether these modules exist, and works without them. Bouncy Castle needs them only for key
            // stores.
            Set.of("java.desktop", "java.sql", "java.xml"),
            new Heap(16, 64, 8));

    /** {@code doyen ring}. */
    static final Recipe RING = new Recipe(
            "doyen-ring",
            "Elects one of a few processes that only know each other, and tells an app over HTTP who leads.",
            "cli/program",
            "doyen-cli",
            Optional.of(ofServer("doyen-cluster", "jgroups")),
            "dev.doyen.cli.Doyen",
            List.of("ring"),
            List.of(4040, 4041, 7800, 7900),
            // Only JGroups' demos use these modules, and its discovery through a database or a script.
            Set.of("java.desktop", "java.scripting", "java.sql"),
            new Heap(8, 48, 3));

    /**
     * Returns the jars that each program of the module cli/program needs, and these.
     *
     * <p>They include those of the commands for a quorum, which belong to the same program.
     */
    private static List<String> ofServer(String... more) {
        return Stream.concat(
                        Stream.of(
                                "doyen-core",
                                "doyen-demo",
                                "doyen-elector",
                                "doyen-elector-console",
                                "doyen-elector-http",
                                "doyen-group-process",
                                "doyen-hub",
                                "doyen-hub-server",
                                "doyen-process",
                                "doyen-ring",
                                "doyen-sidecar",
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

    /** Sizes of the heap and its young generation, in MiB. */
    public record Heap(int atStart, int atMost, int young) {}
}
