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
            "Campaigns in election NAME among processes that know only each other, without a store. It reports the leader"
                    + " over HTTP like doyen elector: GET /, GET /sse, /v1. The same port serves /console/ to browsers on this"
                    + " machine.",
            "In a network partition each side has a leader. If you need at most one leader, use doyen run or doyen elector"
                    + " with a store, such as quorum:, in which the processes themselves store the records.",
        },
        footerHeading = "%n",
        footer = {
            "Members also connect to the port 100 above that of --listen, to detect a crash.",
            "The environment can set each option, as DOYEN_RING_ with its name, such as DOYEN_RING_PROBE_ADDRESS."
                    + " DOYEN_RING_SECRET can contain the secret instead of a file. DOYEN_ADMIN_KEY is the key for admin"
                    + " commands and the console; without it, a random key is created and logged.",
            "",
            "Exit code: 0 ended by a signal, 1 a port cannot be opened or a setting is invalid, 2 wrong usage."
        })
final class RingCommand extends BaseCommand {

    private static final String PREFIX = "DOYEN_RING_";
    private static final String SECRET = "SECRET";
    private static final int EXIT_FAILED = 1;

    private final Map<String, String> environment;
    private final Consumer<Consumer<RunSignal>> signals;

    @Parameters(index = "0", paramLabel = "NAME", description = "The election; the same for all members.")
    private String name = "";

    @ArgGroup(exclusive = true, multiplicity = "0..1")
    private Others others = new Others();

    private static final class Others {
        @Option(
                names = "--peers",
                paramLabel = "HOST:PORT",
                split = ",",
                description =
                        "Addresses of the other members, optionally with this one; the same list for all members.")
        private List<String> peers = List.of();

        @Option(
                names = "--dns",
                paramLabel = "NAME",
                description =
                        "A DNS name with the addresses of all members, such as a headless Service. All use the same port.")
        private @Nullable String dns;

        @Option(
                names = "--multicast",
                paramLabel = "GROUP:PORT",
                description =
                        "Finds the members by multicast, such as 230.5.5.5:7799; needs a secret. Tested on one machine only.")
        private @Nullable String multicast;
    }

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Address on which this member listens for the others. Default: ${DEFAULT-VALUE}")
    private String listen = "localhost:7800";

    @Option(
            names = "--secret-file",
            paramLabel = "PATH",
            description =
                    "File with the shared secret, at least 16 characters; must be the same on every member. Required beyond"
                            + " localhost and with --multicast.")
    private @Nullable Path secretFile;

    @Option(
            names = "--cluster",
            paramLabel = "NAME",
            description = "The name of the cluster; it rejects processes of other clusters. Default: doyen")
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
            description = "Time without a heartbeat after which a member is suspected, 500ms to 60s. Default: 3s")
    private Duration detection = ClusterSettings.DEFAULT_DETECTION;

    @Option(
            names = "--priority",
            paramLabel = "N",
            description = "Priority in an election, 0 to 100; the highest wins. Default: ${DEFAULT-VALUE}")
    private int priority = 100;

    @Mixin
    private final HealthOptions health = new HealthOptions();

    @Option(
            names = "--settings",
            paramLabel = "FILE",
            description =
                    "File with these options in YAML or JSON, without the dashes. The command line and the environment take"
                            + " precedence.")
    private @Nullable Path settingsFile;

    @Option(
            names = "--election-timeout",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description =
                    "The others replace a leader without heartbeats after this time: at most 60m, and at least 1s plus 2.2 times"
                            + " --detection; the same for all members. Default: 8s")
    private Duration electionTimeout = RingTiming.DEFAULT_ELECTION_TIMEOUT;

    @Option(
            names = "--algorithm",
            paramLabel = "WHICH",
            description = "chang_roberts or peterson; the same for all members. Default: chang_roberts")
    private RingAlgorithm algorithm = RingAlgorithm.CHANG_ROBERTS;

    @Option(
            names = "--order",
            paramLabel = "WHICH",
            description =
                    "Which of the members with the highest --priority is elected: oldest, lowest_id or highest_id;"
                            + " the same for all members. Default: oldest")
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
     * Rejects a variable that this command does not read, because the user may rely on the variable.
     *
     * <p>For example, the name of the variable is misspelled, or only an earlier release read the variable.
     */
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
                    "--secret-file " + secretFile + " cannot be read (" + e + "); name a file with the secret", e);
        }
    }

    private static InetAddress address(ListenAddress where) {
        try {
            return where.addresses().get(0);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(
                    "the host " + where.host() + " cannot be resolved; name another host or an address", e);
        }
    }
}
