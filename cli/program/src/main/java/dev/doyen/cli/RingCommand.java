package dev.doyen.cli;

import dev.doyen.cluster.ClusterSettings;
import dev.doyen.cluster.Discovery;
import dev.doyen.elector.Orders;
import dev.doyen.elector.http.CannotListenException;
import dev.doyen.elector.http.ListenAddress;
import dev.doyen.group.process.MemberPlan;
import dev.doyen.group.process.MemberProcess;
import dev.doyen.group.process.ObjectReading;
import dev.doyen.group.process.RingManner;
import dev.doyen.hub.server.settings.SettingsException;
import dev.doyen.process.RunSignal;
import dev.doyen.ring.RingAlgorithm;
import dev.doyen.ring.RingOrder;
import dev.doyen.ring.RingTiming;
import dev.doyen.store.ElectionNames;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/**
 * {@code doyen ring}: takes part in an election on a ring.
 *
 * <p>The environment can set each option too, under its name with the prefix {@code DOYEN_RING_}.
 */
@Command(
        name = "ring",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Stands in election NAME among processes that only know each other, without a store, and tells over HTTP who"
                    + " leads, as doyen elector does: GET /, GET /sse, /v1. On the same port is /console/, for browsers of this"
                    + " machine.",
            "In a partition of the network each side has a leader. Processes that must have at most one elect with doyen run"
                    + " or doyen elector and a store, such as quorum:, which the processes keep themselves.",
        },
        footerHeading = "%n",
        footer = {
            "The others also need the port 100 above that of --listen, by which a crash is noticed.",
            "The secret may stand in the environment as DOYEN_RING_SECRET instead of in a file, and each option as"
                    + " DOYEN_RING_ with its name, such as DOYEN_RING_PROBE_ADDRESS.",
            "",
            "Exit code: 0 told to end, 1 a port cannot be opened or a setting cannot be meant, 2 misused."
        })
final class RingCommand extends SpokenCommand {

    private static final String PREFIX = "DOYEN_RING_";
    private static final String SECRET = "SECRET";
    private static final int EXIT_FAILED = 1;

    private final Map<String, String> environment;
    private final Consumer<Consumer<RunSignal>> signals;

    @Parameters(index = "0", paramLabel = "NAME", description = "The election; the same for all.")
    private String name = "";

    @ArgGroup(exclusive = true, multiplicity = "0..1")
    private Others others = new Others();

    private static final class Others {
        @Option(
                names = "--peers",
                paramLabel = "HOST:PORT",
                split = ",",
                description = "Where the others listen, and this one if you like; the same list for all.")
        private List<String> peers = List.of();

        @Option(
                names = "--dns",
                paramLabel = "NAME",
                description =
                        "A name whose addresses are the others', such as a headless Service; all listen on one port.")
        private @Nullable String dns;

        @Option(
                names = "--multicast",
                paramLabel = "GROUP:PORT",
                description =
                        "Finds the others by multicast, such as 230.5.5.5:7799; needs a secret. Tried on one machine only.")
        private @Nullable String multicast;
    }

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Where the others find this process. Default: ${DEFAULT-VALUE}")
    private String listen = "localhost:7800";

    @Option(
            names = "--secret-file",
            paramLabel = "PATH",
            description =
                    "What all members know and nobody else, 16 characters or more; needed beyond localhost, and with"
                            + " --multicast.")
    private @Nullable Path secretFile;

    @Option(
            names = "--cluster",
            paramLabel = "NAME",
            description = "The cluster; processes of another are not let in. Default: doyen")
    private String cluster = "doyen";

    @Option(
            names = "--id",
            paramLabel = "ID",
            description = "The name of this process, its own alone. Default: the host name, and the port")
    private @Nullable String id;

    @Option(
            names = "--http",
            paramLabel = "HOST:PORT",
            description = "Where to ask who leads; localhost is 127.0.0.1 and ::1. Default: ${DEFAULT-VALUE}")
    private String http = "localhost:4040";

    @Option(
            names = "--probe-address",
            paramLabel = "HOST:PORT",
            description = "/healthz, /readyz and /metrics. Default: ${DEFAULT-VALUE}")
    private String probes = "localhost:4041";

    @Option(
            names = "--detection",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "After how long a silent process is suspected, 500ms to 60s. Default: 3s")
    private Duration detection = ClusterSettings.DEFAULT_DETECTION;

    @Option(
            names = "--priority",
            paramLabel = "N",
            description = "How much this process is preferred when nobody leads, 0 to 100. Default: ${DEFAULT-VALUE}")
    private int priority = 100;

    @Mixin
    private final HealthOptions health = new HealthOptions();

    @Option(
            names = "--orders",
            paramLabel = "FROM",
            description = "From where POST is taken: loopback, anywhere, or refused. Default: loopback")
    private Orders orders = Orders.LOOPBACK;

    @Option(
            names = "--settings",
            paramLabel = "FILE",
            description =
                    "These options in YAML or JSON, without the dashes; what is given here or in the environment counts"
                            + " instead.")
    private @Nullable Path settingsFile;

    @Option(
            names = "--follow",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description =
                    "How soon a silent leader is replaced whose process runs, up to 60m, and at least 2.2 times --detection"
                            + " and 1s; the same for all. Default: 8s")
    private Duration follow = RingTiming.DEFAULT_FOLLOW;

    @Option(
            names = "--algorithm",
            paramLabel = "WHICH",
            description = "chang_roberts or peterson; the same for all. Default: chang_roberts")
    private RingAlgorithm algorithm = RingAlgorithm.CHANG_ROBERTS;

    @Option(
            names = "--order",
            paramLabel = "WHICH",
            description =
                    "Which of the members with the highest --priority is elected: oldest, lowest_id or highest_id;"
                            + " the same for all. Default: oldest")
    private RingOrder order = RingOrder.OLDEST;

    /**
     * Creates the command with default values.
     *
     * @param signals receives the handler of the signals that this process gets
     */
    RingCommand(Map<String, String> environment, Consumer<Consumer<RunSignal>> signals) {
        this.environment = environment;
        this.signals = signals;
    }

    CommandLine line() {
        return new CommandLine(this).setDefaultValueProvider(new FlagEnvironment(PREFIX, environment));
    }

    @Override
    public Integer call() {
        checkEnvironment();
        MemberPlan plan;
        try {
            plan = settingsFile == null ? plan() : withSettings(settingsFile).plan();
        } catch (SettingsException e) {
            err().println("doyen: " + e.getMessage() + ".");
            return EXIT_FAILED;
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
        ObjectReading.refuse();
        try (var process = new MemberProcess(plan)) {
            signals.accept(signal -> {
                if (signal == RunSignal.TERM || signal == RunSignal.INT || signal == RunSignal.HUP) {
                    process.leave();
                }
            });
            process.await();
            return 0;
        } catch (CannotListenException e) {
            String flag = e.port() == CannotListenException.Port.PROBES ? "--probe-address" : "--http";
            err().println("doyen: Port " + e.address().getPort() + " on "
                    + e.address().getHostString()
                    + " cannot be opened (" + e.reason() + "); choose another by " + flag
                    + " HOST:PORT, or stop what uses it.");
            return EXIT_FAILED;
        } catch (IllegalArgumentException e) {
            err().println("doyen: " + e.getMessage());
            return EXIT_FAILED;
        }
    }

    /** Rejects a variable that nothing reads, because a user may rely on it. It may be misspelled or removed. */
    private void checkEnvironment() {
        new FlagEnvironment(PREFIX, environment)
                .unknown(parsed().commandSpec(), Set.of(SECRET))
                .ifPresent(name -> {
                    throw usage("The environment has " + PREFIX + name + ", and doyen ring has no such option"
                            + RemovedOptions.remedy(name) + "; remove the variable");
                });
    }

    /** Returns this command with the options of the settings file added. */
    private RingCommand withSettings(Path file) throws SettingsException {
        var line = new RingCommand(environment, signals).line().setCaseInsensitiveEnumValuesAllowed(true);
        var arguments = FlagFile.arguments(file, parsed(), new FlagEnvironment(PREFIX, environment));
        try {
            line.parseArgs(arguments.toArray(String[]::new));
        } catch (ParameterException e) {
            throw new SettingsException(file + " and the command line together: " + e.getMessage());
        }
        return line.getCommand();
    }

    private MemberPlan plan() {
        ElectionNames.checkElection(name);
        var where = ListenAddress.parse(listen);
        var own = id == null ? HostName.get() + "-" + where.port() : id;
        var settings =
                new ClusterSettings(cluster, own, address(where), where.port(), discovery(), secret(), detection);
        return new MemberPlan(
                name,
                new RingManner(follow, algorithm, order),
                settings,
                priority,
                health.check(),
                ListenAddress.parse(http),
                ListenAddress.parse(probes),
                orders);
    }

    private Discovery discovery() {
        if (others.dns != null) {
            return new Discovery.Dns(others.dns);
        }
        if (others.multicast != null) {
            var group = ListenAddress.parse(others.multicast);
            return new Discovery.Multicast(address(group), group.port());
        }
        var addresses = new ArrayList<InetSocketAddress>();
        for (String peer : others.peers) {
            var named = ListenAddress.parse(peer);
            addresses.add(new InetSocketAddress(named.host(), named.port()));
        }
        return new Discovery.Peers(addresses);
    }

    private Optional<String> secret() {
        if (secretFile == null) {
            return Optional.ofNullable(environment.get(PREFIX + SECRET)).filter(text -> !text.isEmpty());
        }
        try {
            return Optional.of(
                    Files.readString(secretFile, StandardCharsets.UTF_8).strip());
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "--secret-file " + secretFile + " cannot be read (" + e + "); name a file with the secret", e);
        }
    }

    private static InetAddress address(ListenAddress where) {
        try {
            return where.addresses().get(0);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(
                    "the host " + where.host() + " is not known; name one that is, or an address", e);
        }
    }
}
