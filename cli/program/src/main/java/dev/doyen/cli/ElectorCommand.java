package dev.doyen.cli;

import dev.doyen.election.LeaseTiming;
import dev.doyen.elector.AdminKey;
import dev.doyen.elector.http.CannotListenException;
import dev.doyen.elector.http.CannotListenException.Port;
import dev.doyen.elector.http.ListenAddress;
import dev.doyen.elector.http.Urls;
import dev.doyen.process.RunSignal;
import dev.doyen.sidecar.Mode;
import dev.doyen.sidecar.Release;
import dev.doyen.sidecar.SidecarSettings;
import dev.doyen.sidecar.driver.AppSigns;
import dev.doyen.sidecar.driver.Sidecar;
import dev.doyen.text.ElectionNames;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code doyen elector}: runs the sidecar.
 *
 * <p>The command also accepts the flags of the NAIS elector and of leader-elector 0.5.
 */
@Command(
        name = "elector",
        description = {
            "Campaigns in an election on behalf of an app, and reports the leader over HTTP: GET / and GET /sse.",
            "Replaces the NAIS elector and leader-elector 0.5, and accepts their flags.",
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footerHeading = "%n",
        footer = {
            "The environment can also set each option. For example, ELECTOR_LOG_FORMAT sets --log-format. POD_NAME also"
                    + " sets --id, POD_NAMESPACE sets --election-namespace, and DOYEN_STORE sets --store.",
            "DOYEN_ADMIN_KEY sets the key for admin commands. If it is not set, the command creates a random key and"
                    + " logs it.",
            "",
            "Exit code: 0 a signal ended the command; 1 wrong usage or an invalid store URL; 2 a port cannot be"
                    + " opened; 6 any other failure. If the store is unavailable, the command continues to run."
        })
final class ElectorCommand extends BaseCommand {

    static final int EXIT_MISUSED = 1;
    private static final int EXIT_CANNOT_LISTEN = 2;
    private static final int EXIT_FAILED = 6;
    private static final String PREFIX = "ELECTOR_";

    /**
     * The form of a pod's name.
     *
     * <p>The name may contain dots. A host name of another form is not the name of a pod. Such a host name is omitted
     * from the store's URL.
     */
    private static final Pattern NAME_OF_A_POD =
            Pattern.compile("(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    private final Map<String, String> environment;
    private final Consumer<Consumer<RunSignal>> signals;

    @Option(
            names = "--election",
            paramLabel = "NAME",
            description = "The name of the election, the same for all pods. Required.")
    private String election = "";

    @Option(
            names = "--election-namespace",
            paramLabel = "NAMESPACE",
            description = "The Kubernetes namespace of the Lease. Has no effect if a store is set. Default:"
                    + " $$POD_NAMESPACE, else the namespace of the pod")
    private @Nullable String electionNamespace;

    @Option(
            names = "--store",
            paramLabel = "URL",
            description = "The store of the lease, such as file:/var/lib/doyen. Default: $$DOYEN_STORE, else"
                    + " Kubernetes in --election-namespace")
    private @Nullable String store;

    @Option(
            names = "--id",
            paramLabel = "ID",
            description = "The id of this candidate. Default: $$POD_NAME, else the host name")
    private @Nullable String id;

    @Mixin
    private final ElectorApiOptions api = new ElectorApiOptions();

    @Mixin
    private final TlsOptions tls = new TlsOptions();

    @Mixin
    private final AuditLogOption auditLog = new AuditLogOption();

    @Option(
            names = "--metrics-address",
            paramLabel = "HOST:PORT",
            description = "A second address that serves /metrics. Default: only --probe-address serves /metrics")
    private @Nullable String metricsAddress;

    @Option(
            names = "--ttl",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "The ttl of the lease, 200ms to 60m. If the leader does not renew the lease for this time,"
                    + " another candidate can lead. Default: 10s")
    private Duration ttl = Duration.ofSeconds(10);

    @Mixin
    private final GenerationOption generation = new GenerationOption();

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            description = "lease (the candidate leads while it renews the lease), or non_expiring (an unavailable store"
                    + " does not end the leadership, so two candidates can lead at once). The mode non_expiring is for"
                    + " apps that request the leader only at their start. Default: lease")
    private Mode mode = Mode.LEASE;

    @Option(
            names = "--release",
            paramLabel = "WHEN",
            description = "When to release the lease after SIGTERM, if no --app option is set: at_once (for a native"
                    + " sidecar), or wait (for a plain container) until the app sends POST /v1/elections/NAME/resign,"
                    + " at the latest 2s before the grace ends. Default: at_once")
    private Release release = Release.AT_ONCE;

    @Option(
            names = "--grace",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Time from SIGTERM to SIGKILL, 2s to 60m: the terminationGracePeriodSeconds of the pod."
                    + " Default: 30s")
    private Duration grace = Duration.ofSeconds(30);

    @Option(
            names = "--app-port",
            paramLabel = "PORT",
            description = "After SIGTERM, releases the lease when the app has closed this port.")
    private @Nullable Integer appPort;

    @Option(
            names = "--app-pid-file",
            paramLabel = "PATH",
            description = "Releases the lease when the process whose id is in this file has ended. The pod needs"
                    + " shareProcessNamespace: true.")
    private @Nullable Path appPidFile;

    @Option(
            names = "--app-command",
            paramLabel = "NAME",
            description = "Releases the lease when all processes of the program with this name have ended. The pod"
                    + " needs shareProcessNamespace: true.")
    private @Nullable String appCommand;

    @Mixin
    private final HealthOptions health = new HealthOptions();

    @Option(
            names = "--log-format",
            paramLabel = "FORMAT",
            description = "The format of the log: text or json. Default: text")
    private LogFormat logFormat = LogFormat.TEXT;

    @Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            description = "The level of the log: debug, info, warn or error. Default: ${DEFAULT-VALUE}")
    private String logLevel = "info";

    @Option(
            names = "--use-cluster-credentials",
            paramLabel = "BOOL",
            arity = "0..1",
            fallbackValue = "true",
            description = "Has no effect, and is accepted because leader-elector 0.5 has this option. The store"
                    + " kubernetes: finds its credentials itself.")
    void useClusterCredentials(boolean known) {}

    private enum LogFormat {
        TEXT,
        JSON
    }

    ElectorCommand(Map<String, String> environment, Consumer<Consumer<RunSignal>> signals) {
        this.environment = environment;
        this.signals = signals;
    }

    /**
     * Returns the command with its options. Environment variables can also set the options.
     *
     * @param signals receives the handler of the signals that this process gets
     */
    static CommandLine commandLine(Map<String, String> environment, Consumer<Consumer<RunSignal>> signals) {
        return new CommandLine(new ElectorCommand(environment, signals))
                .setDefaultValueProvider(new FlagEnvironment(PREFIX, environment));
    }

    /**
     * Runs the command without picocli, if the arguments need neither a help text nor an error message of picocli.
     *
     * @return the exit code; empty if picocli must run the command
     */
    static OptionalInt runDirectly(
            Map<String, String> environment,
            Consumer<Consumer<RunSignal>> signals,
            List<String> arguments,
            PrintWriter err) {
        var command = new ElectorCommand(environment, signals);
        return ElectorArguments.set(command, arguments, PREFIX, environment)
                ? OptionalInt.of(command.run(err))
                : OptionalInt.empty();
    }

    /** Returns the objects whose fields are the options of this command. */
    List<Object> optionHolders() {
        return List.of(this, generation, api, tls, auditLog, health);
    }

    @Override
    public Integer call() {
        return run(err());
    }

    private int run(PrintWriter err) {
        try {
            ConsoleLog.install(detail(), logFormat == LogFormat.JSON);
            try (var sidecar = start(AdminKeyOption.of(environment))) {
                signals.accept(signal -> {
                    if (signal == RunSignal.TERM || signal == RunSignal.INT || signal == RunSignal.HUP) {
                        sidecar.leave();
                    }
                });
                sidecar.await();
                return 0;
            }
        } catch (IllegalArgumentException e) {
            err.println(RootCommand.misuse(String.valueOf(e.getMessage()), "doyen elector"));
            return EXIT_MISUSED;
        } catch (CannotListenException e) {
            err.println(ElectorApiOptions.sentence(e));
            return EXIT_CANNOT_LISTEN;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return EXIT_FAILED;
        } catch (RuntimeException e) {
            System.getLogger("dev.doyen").log(System.Logger.Level.ERROR, "the elector failed", e);
            return EXIT_FAILED;
        }
    }

    private Sidecar start(AdminKey key) throws CannotListenException {
        if (election.isEmpty()) {
            throw new IllegalArgumentException(
                    "no election is given; add --election NAME, the same for all pods, or set ELECTOR_ELECTION");
        }
        ElectionNames.checkElection(election);
        var check = health.check();
        if (mode == Mode.NON_EXPIRING && check.isPresent()) {
            throw new IllegalArgumentException(
                    "in --mode non_expiring a candidate also leads while its app is unhealthy, so a health check has no"
                            + " effect; leave out the --health option, or choose --mode lease");
        }
        if (appPidFile != null && appCommand != null) {
            throw new IllegalArgumentException("--app-pid-file and --app-command exclude each other; choose one");
        }
        var access = api.adminAccess(key);
        var port = appPort == null ? OptionalInt.empty() : OptionalInt.of(appPort);
        var settings = new SidecarSettings(
                election, candidateId(), ttl, generation.number(), mode, release, grace, port, access);
        // Check the ttl here, because the election would check it only after the ports are open.
        LeaseTiming.ofTtl(ttl);
        var addresses = new Sidecar.Addresses(
                api.http(),
                api.probes(),
                Optional.ofNullable(metricsAddress).map(ListenAddress::parse),
                tls.open(),
                auditLog.open());
        Sidecar sidecar = Sidecar.start(settings, addresses, storeUrl(), check, signs(port));
        var address = sidecar.electorAddress();
        AdminKeyOption.log(
                environment,
                access,
                key,
                Urls.root(addresses.tls().scheme(Port.ELECTOR), address.getAddress(), address.getPort()),
                false);
        return sidecar;
    }

    private AppSigns signs(OptionalInt port) {
        if (appPidFile != null) {
            return AppSigns.ofPidFile(appPidFile);
        }
        return appCommand == null ? AppSigns.ofPort(port) : AppSigns.ofCommand(appCommand);
    }

    private String storeUrl() {
        var named = store == null ? environment.getOrDefault("DOYEN_STORE", "") : store;
        if (!named.isEmpty()) {
            return named;
        }
        var where = electionNamespace == null ? environment.getOrDefault("POD_NAMESPACE", "") : electionNamespace;
        return kubernetesUrl(where, podName());
    }

    /**
     * Returns the URL of the Kubernetes store. The URL contains {@code pod} only if {@code pod} is a valid name of a
     * pod.
     */
    static String kubernetesUrl(String namespace, String pod) {
        return "kubernetes:" + namespace + (NAME_OF_A_POD.matcher(pod).matches() ? "?pod=" + pod : "");
    }

    /**
     * Returns the pod's name from {@code POD_NAME}, or else the host name. The host name of a pod is usually the pod's
     * name, but not if the pod uses the network of its node.
     */
    private String podName() {
        var named = environment.getOrDefault("POD_NAME", "");
        return named.isEmpty() ? HostName.get() : named;
    }

    private String candidateId() {
        var named = id == null ? podName() : id;
        return ElectionNames.check("candidate id", named.isEmpty() ? HostName.get() : named);
    }

    private ConsoleLog.Detail detail() {
        return switch (logLevel.toLowerCase(Locale.ROOT)) {
            case "trace", "debug" -> ConsoleLog.Detail.VERBOSE;
            case "info" -> ConsoleLog.Detail.NORMAL;
            case "warn", "warning", "error", "fatal", "panic" -> ConsoleLog.Detail.QUIET;
            default ->
                throw new IllegalArgumentException(
                        "--log-level '" + logLevel + "' is not a level; choose debug, info, warn or error");
        };
    }
}
