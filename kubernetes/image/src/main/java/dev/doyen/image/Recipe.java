package dev.doyen.image;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The content of a program's image: its jars, command, ports and memory.
 *
 * @param module the folder of the checkout in which the program's jar is built
 * @param artifact the name of the program's jar without the version
 * @param libraries the names of the libraries that the program needs, without versions; if empty, the program needs all
 *     libraries with which it is built
 * @param arguments the arguments that precede the arguments of the pod
 * @param modulesLeftOut the JDK modules to which the program's jars refer, but which the program does not use
 * @param trustsOnlyClusters true if the program usually trusts only the certificate authority of its cluster
 * @param sizes the JVM arguments that set the sizes of the heap and of other parts of the memory
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
        boolean trustsOnlyClusters,
        List<String> sizes) {

    /**
     * The recipe of {@code doyen elector}. The image contains only the stores that need no additional client library.
     */
    static final Recipe ELECTOR = new Recipe(
            "doyen-elector",
            "Reports over HTTP which pod of an app leads.",
            "cli/program",
            "doyen-cli",
            Optional.of(ofElector("doyen-store-kubernetes")),
            "dev.doyen.cli.ElectorProgram",
            List.of(),
            List.of(4040, 4041),
            // Only other commands use java.management and jdk.management. Netty works without jdk.jfr.
            Set.of("java.management", "java.naming", "jdk.jfr", "jdk.management"),
            true,
            JvmArguments.ofSmall(6, 32, 2));

    /**
     * The recipe of {@code doyen hub}.
     *
     * <p>The image contains the stores of Redis, PostgreSQL and MariaDB, and the stores that need no additional client
     * library.
     */
    static final Recipe HUB = new Recipe(
            "doyen-hub",
            "Elects leaders among browser tabs and other clients of the Ably realtime protocol.",
            "cli/program",
            "doyen-cli",
            Optional.of(ofServer(
                    // The program's list of commands contains doyen ring, which does not run in this image.
                    "doyen-cluster",
                    "doyen-store-jdbc",
                    "doyen-store-redis",
                    "jackson-annotations",
                    "jackson-databind",
                    "jackson-dataformat-msgpack",
                    "jackson-dataformat-yaml",
                    "java-jwt",
                    "lettuce-core",
                    "mariadb-java-client",
                    "msgpack-core",
                    "netty-codec-dns",
                    "netty-codec-haproxy",
                    "netty-resolver-dns",
                    "postgresql",
                    "reactive-streams",
                    "reactor-core",
                    "redis-authx-core",
                    "snakeyaml")),
            "dev.doyen.cli.Doyen",
            List.of("hub"),
            List.of(4040, 4041, 8000),
            // Only Jackson, SnakeYAML and PostgreSQL's driver refer to this module, in classes that the hub does not
            // use.
            Set.of("java.desktop"),
            false,
            JvmArguments.ofServer());

    /**
     * The recipe of {@code doyen injector}. The heap is large, because an admission request can be 3 MiB of JSON, which
     * the injector parses into a tree of objects.
     */
    static final Recipe INJECTOR = new Recipe(
            "doyen-injector",
            "Adds the elector to pods that ask for it by a label.",
            "kubernetes/injector",
            "doyen-injector",
            Optional.empty(),
            "dev.doyen.injector.cli.Injector",
            List.of(),
            List.of(8443),
            // Jackson checks whether these modules exist, and works without them. Bouncy Castle needs these modules
            // only for key stores.
            Set.of("java.desktop", "java.sql", "java.xml"),
            false,
            JvmArguments.ofSmall(16, 64, 8));

    /** The recipe of {@code doyen ring}. */
    static final Recipe RING = new Recipe(
            "doyen-ring",
            "Elects one of a few processes without a store, and reports the leader over HTTP.",
            "cli/program",
            "doyen-cli",
            Optional.of(ofServer("doyen-cluster", "jgroups")),
            "dev.doyen.cli.Doyen",
            List.of("ring"),
            List.of(4040, 4041, 7800, 7900),
            // Only the demos of JGroups, and its discovery through a database or a script, use these modules.
            Set.of("java.desktop", "java.scripting", "java.sql"),
            false,
            JvmArguments.ofSmall(8, 48, 3));

    /** The recipe of the program {@code doyen} with all commands and all stores. */
    static final Recipe DOYEN = new Recipe(
            "doyen",
            "Elects one leader among processes, pods and browser tabs.",
            "cli/program",
            "doyen-cli",
            Optional.empty(),
            "dev.doyen.cli.Doyen",
            List.of(),
            List.of(4040, 4041, 7800, 7900, 8000),
            // No command of doyen has windows or runs scripts.
            Set.of("java.desktop", "java.scripting"),
            false,
            JvmArguments.ofServer());

    /** Returns the jars that every program of the module cli/program needs, and the given jars. */
    private static List<String> ofElector(String... more) {
        return Stream.concat(
                        Stream.of(
                                "doyen-core",
                                "doyen-elector",
                                "doyen-elector-http",
                                "doyen-group-process",
                                "doyen-process",
                                "doyen-sidecar",
                                "doyen-store-quorum",
                                "jackson-core",
                                "microraft",
                                "netty-buffer",
                                "netty-codec-base",
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

    /**
     * Returns the jars of the program {@code doyen}, and the given jars.
     *
     * <p>The result includes the jars of all commands, because the commands belong to the same program.
     */
    private static List<String> ofServer(String... more) {
        return Stream.concat(
                        Stream.of("doyen-demo", "doyen-elector-console", "doyen-hub", "doyen-hub-server", "doyen-ring"),
                        ofElector(more).stream())
                .toList();
    }
}
