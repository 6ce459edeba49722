package dev.doyen.cli;

import dev.doyen.cluster.ClusterSettings;
import dev.doyen.cluster.Discovery;
import dev.doyen.elector.AdminKey;
import dev.doyen.elector.http.CannotListenException;
import dev.doyen.elector.http.CannotListenException.Port;
import dev.doyen.elector.http.ListenAddress;
import dev.doyen.elector.http.Urls;
import dev.doyen.group.process.MemberProcess;
import dev.doyen.group.process.MemberSettings;
import dev.doyen.group.process.ObjectDeserialization;
import dev.doyen.group.process.RingElectionSettings;
import dev.doyen.group.settings.RingAlgorithm;
import dev.doyen.group.settings.RingOrder;
import dev.doyen.group.settings.RingTiming;
import dev.doyen.hub.server.settings.SettingsException;
import dev.doyen.process.RunSignal;
import dev.doyen.text.ElectionNames;
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
 * <p>Environment variables can also set each option. The name of the variable is the option's name with the prefix
 * {@code DOYEN_RING_}.
 */
@Command(
        name = "ring",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Campaigns in election NAME without a store. The members need only each other's addresses. The command"
                    + " reports the leader over HTTP like doyen elector: GET /, GET /sse and /v1. The same port serves"
                    + " a console at /console/.",
            "During a network partition, each side has a leader. If you need at most one leader, use doyen run or doyen"
                    + " elector with a store, such as quorum:, which needs no server.",
        },
        footerHeading = "%n",
        footer = {
            "To detect crashes, the members also use the port of --listen plus 100.",
            "The environment can also set each option. For example, DOYEN_RING_PROBE_ADDRESS sets --probe-address."
                    + " DOYEN_RING_SECRET can contain the secret itself, instead of --secret-file. DOYEN_ADMIN_KEY"
                    + " sets the key for admin commands and the console. If it is not set, the command creates a"
                    + " random key and logs it.",
            "",
            "Exit code: 0 a signal ended the command; 1 a port cannot be opened, the cluster cannot be joined, or the"
                    + " settings file is invalid; 2 wrong usage."
        })
final class RingCommand extends BaseCommand {

    private static final String PREFIX = "DOYEN_RING_";
    private static final String SECRET = "SECRET";
    private static final int EXIT_FAILED = 1;

    private final Map<String, String> environment;
    private final Consumer<Consumer<RunSignal>> signals;

    @Parameters(index = "0", paramLabel = "NAME", description = "The name of the election, the same for all members.")
    private String name = "";

    @ArgGroup(exclusive = true, multiplicity = "0..1")
    private Others others = new Others();

    private static final class Others {
        @Option(
                names = "--peers",
                paramLabel = "HOST:PORT",
                split = ",",
                description = "Addresses of the members, separated by commas. All members can use the same list,"
                        + " because it may contain the address of this member.")
        private List<String> peers = List.of();

        @Option(
                names = "--dns",
                paramLabel = "NAME",
                description = "A DNS name with the addresses of all members, such as that of a headless Service. All"
                        + " members must listen on the same port.")
        private @Nullable String dns;

        @Option(
                names = "--multicast",
                paramLabel = "GROUP:PORT",
                description = "Finds the members by multicast to this group, such as 230.5.5.5:7799. Needs a secret."
                        + " Tested on one machine only.")
        private @Nullable String multicast;
    }

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Address at which the other members reach this member. Default: ${DEFAULT-VALUE}")
    private String listen = "localhost:7800";

    @Option(
            names = "--secret-file",
            paramLabel = "PATH",
            description = "File with the shared secret, 16 to 1000 characters, the same on every member. Required with"
                    + " --multicast, and if --listen is not a loopback address.")
    private @Nullable Path secretFile;

    @Option(
            names = "--cluster",
            paramLabel = "NAME",
            description = "Name of the cluster. A process with another cluster name cannot join. Default: doyen")
    private String cluster = "doyen";

    @Option(
            names = "--id",
            paramLabel = "ID",
            description = "The id of this member, unique in the cluster. Default: the host name and the port")
    private @Nullable String id;

    @Mixin
    private final ElectorApiOptions api = new ElectorApiOptions();

    @Mixin
    private final TlsOptions tls = new TlsOptions();

    @Mixin
    private final AuditLogOption auditLog = new AuditLogOption();

    @Option(
            names = "--detection",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "The members suspect a member that has sent no heartbeat for this time, 500ms to 60s; the"
                    + " same for all members. Default: 3s")
    private Duration detection = ClusterSettings.DEFAULT_DETECTION;

    @Option(
            names = "--priority",
            paramLabel = "N",
            description = "Priority of this candidate, 0 to 100. If nobody leads, the highest priority wins. Default:"
                    + " ${DEFAULT-VALUE}")
    private int priority = 100;

    @Mixin
    private final HealthOptions health = new HealthOptions();

    @Option(
            names = "--settings",
            paramLabel = "FILE",
            description = "File in YAML or JSON that sets these options, such as priority: 50. Options on the command"
                    + " line and in the environment take precedence.")
    private @Nullable Path settingsFile;

    @Option(
            names = "--election-timeout",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "The members replace a leader that has sent no heartbeat for this time: at least about 1s"
                    + " plus 2.2 times --detection, at most 60m; the same for all members. Default: 8s")
    private Duration electionTimeout = RingTiming.DEFAULT_ELECTION_TIMEOUT;

    @Option(
            names = "--algorithm",
            paramLabel = "WHICH",
            description = "Election algorithm, chang_roberts or peterson; the same for all members. Default:"
                    + " chang_roberts")
    private RingAlgorithm algorithm = RingAlgorithm.CHANG_ROBERTS;

    @Option(
            names = "--order",
            paramLabel = "WHICH",
            description = "Which of the candidates with the highest --priority is elected: oldest, lowest_id or"
                    + " highest_id; the same for all members. Default: oldest")
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
        MemberSettings memberSettings;
        AdminKey key;
        try {
            key = AdminKeyOption.of(environment);
            memberSettings = settingsFile == null
                    ? memberSettings(key)
                    : withSettings(settingsFile).memberSettings(key);
        } catch (SettingsException e) {
            err().println("doyen: " + e.getMessage() + ".");
            return EXIT_FAILED;
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
        ObjectDeserialization.refuse();
        try (var process = new MemberProcess(memberSettings)) {
            var address = process.electorAddress();
            AdminKeyOption.log(
                    environment,
                    memberSettings.adminAccess(),
                    key,
                    Urls.root(memberSettings.tls().scheme(Port.ELECTOR), address.getAddress(), address.getPort()),
                    true);
            signals.accept(signal -> {
                if (signal == RunSignal.TERM || signal == RunSignal.INT || signal == RunSignal.HUP) {
                    process.leave();
                }
            });
            process.await();
            return 0;
        } catch (CannotListenException e) {
            err().println(ElectorApiOptions.sentence(e));
            return EXIT_FAILED;
        } catch (IllegalArgumentException e) {
            err().println("doyen: " + e.getMessage());
            return EXIT_FAILED;
        }
    }

    /**
     * Rejects a variable with the prefix {@code DOYEN_RING_} that this command does not read. The variables that
     * Kubernetes sets for a Service are not rejected.
     *
     * <p>Such a variable has no effect, but the user may rely on it. For example, the name of the variable is
     * misspelled, or only an earlier release read the variable.
     */
    private void checkEnvironment() {
        new FlagEnvironment(PREFIX, environment)
                .unknown(parsed().commandSpec(), Set.of(SECRET))
                .ifPresent(name -> {
                    throw usage("the environment variable " + PREFIX + name
                            + " is set, but doyen ring has no such option" + RemovedOptions.remedy(name)
                            + "; remove the variable");
                });
    }

    /** Returns this command with the options of the settings file added. */
    private RingCommand withSettings(Path file) throws SettingsException {
        var line = new RingCommand(environment, signals).line().setCaseInsensitiveEnumValuesAllowed(true);
        var arguments = FlagFile.arguments(file, parsed(), new FlagEnvironment(PREFIX, environment));
        try {
            line.parseArgs(arguments.toArray(String[]::new));
        } catch (ParameterException e) {
            throw new SettingsException(
                    "the options in " + file + " and on the command line are invalid: " + e.getMessage());
        }
        return line.getCommand();
    }

    private MemberSettings memberSettings(AdminKey key) {
        ElectionNames.checkElection(name);
        var where = ListenAddress.parse(listen);
        var own = id == null ? HostName.get() + "-" + where.port() : id;
        var settings =
                new ClusterSettings(cluster, own, address(where), where.port(), discovery(), secret(), detection);
        return new MemberSettings(
                name,
                new RingElectionSettings(electionTimeout, algorithm, order),
                settings,
                priority,
                health.check(),
                api.http(),
                api.probes(),
                api.adminAccess(key),
                tls.open(),
                auditLog.open());
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
                    "--secret-file " + secretFile + " cannot be read (" + e
                            + "); choose a file that contains the secret and that this user may read",
                    e);
        }
    }

    private static InetAddress address(ListenAddress where) {
        try {
            return where.addresses().get(0);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(
                    "the host " + where.host() + " cannot be resolved; use another host name or an IP address", e);
        }
    }
}
