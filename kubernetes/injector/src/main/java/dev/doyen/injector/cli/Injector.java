package dev.doyen.injector.cli;

import dev.doyen.injector.SidecarKind;
import dev.doyen.injector.driver.ClusterAccess;
import dev.doyen.injector.driver.InjectorProgram;
import dev.doyen.injector.driver.InjectorSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command {@code doyen injector}. The injector is a separate program, so that other programs do not contain its
 * libraries.
 */
@Command(
        name = "doyen injector",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        versionProvider = InjectorVersion.class,
        description = {
            "Adds the elector to pods with the label elector.doyen.dev/inject=true, as a mutating webhook."
                    + " Gives their service accounts the right to elect, and labels the pod of the leader.",
        },
        footerHeading = "%n",
        footer = {
            "In a pod, the API server, its certificate and the token are found automatically.",
            "GET /healthz on the webhook's port answers 200 while it serves.",
            "",
            "Exit code: 0 stopped by SIGTERM or Ctrl-C; 1 cannot start; 2 wrong usage."
        })
public final class Injector implements Callable<Integer> {

    private static final int EXIT_FAILED = 1;
    private static final int EXIT_MISUSED = 2;
    private static final int MAX_PORT = 65535;
    private static final String SERVICE = "doyen-injector";

    private final Map<String, String> environment;
    private final Consumer<AutoCloseable> lifetime;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--image", required = true, paramLabel = "IMAGE", description = "The elector's image.")
    private String image = "";

    @Option(
            names = "--sidecar",
            paramLabel = "KIND",
            description = "native, plain, or auto: native if the server's version is 1.29 or newer. Default: auto")
    private Sidecar sidecar = Sidecar.AUTO;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "The address on which the webhook listens. In a pod: 0.0.0.0:8443. Default: ${DEFAULT-VALUE}")
    private String listen = "localhost:8443";

    @Option(
            names = "--webhook-configuration",
            paramLabel = "NAME",
            description = "The MutatingWebhookConfiguration that receives the certificate authority."
                    + " Default: ${DEFAULT-VALUE}")
    private String configuration = SERVICE;

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            description = "The namespace of the certificate and of the Lease of the controller. Default: POD_NAMESPACE")
    private @Nullable String namespace;

    @Option(
            names = "--certificate-secret",
            paramLabel = "NAME",
            description = "The Secret with the certificate. Default: ${DEFAULT-VALUE}")
    private String secret = SERVICE + "-certificate";

    @Option(
            names = "--certificate-host",
            paramLabel = "HOST",
            description = "A name in the certificate; may be repeated. Default: " + SERVICE + ".NAMESPACE.svc")
    private List<String> hosts = List.of();

    @Option(
            names = "--certificate-life",
            paramLabel = "TIME",
            converter = LifeConverter.class,
            description = "The validity of a certificate; it is renewed after two thirds of this time. Default: 90d")
    private Duration life = InjectorSettings.DEFAULT_LIFE;

    @Option(
            names = "--certificate-file",
            paramLabel = "FILE",
            description = "A certificate (PEM) that another program renews, such as cert-manager; the injector then"
                    + " creates none.")
    private @Nullable Path certificateFile;

    @Option(names = "--key-file", paramLabel = "FILE", description = "The key of the certificate (PEM, PKCS#8).")
    private @Nullable Path keyFile;

    @Option(
            names = "--cluster-role",
            paramLabel = "NAME",
            description = "The ClusterRole for the service accounts of pods with the label. Default: ${DEFAULT-VALUE}")
    private String clusterRole = "elector";

    @Option(
            names = "--election",
            paramLabel = "NAME",
            description = "The election of the controller among all replicas, and the name of its Lease."
                    + " Default: ${DEFAULT-VALUE}")
    private String election = SERVICE;

    @Option(names = "--no-controller", description = "Creates no RoleBindings and labels no leader.")
    private boolean withoutController;

    @Option(
            names = "--no-leader-labels",
            description = "Labels no leader. The injector then needs no right to patch pods.")
    private boolean withoutLeaderLabels;

    @Option(
            names = "--check-interval",
            paramLabel = "TIME",
            converter = LifeConverter.class,
            description = "The interval between two checks of the certificate, and between two attempts of a request."
                    + " Default: 10s")
    private Duration checkInterval = InjectorSettings.DEFAULT_CHECK_INTERVAL;

    @Option(names = "--server", paramLabel = "URL", description = "The URL of the API server. Default: that of the pod")
    private @Nullable URI server;

    @Option(
            names = "--server-ca-file",
            paramLabel = "FILE",
            description = "The certificate authority of the API server (PEM). Default: that of the pod")
    private Path serverAuthorities = ClusterAccess.ACCOUNT.resolve("ca.crt");

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "The token for the API server. Default: that of the pod")
    private Path token = ClusterAccess.ACCOUNT.resolve("token");

    @Option(names = "--verbose", description = "Logs more.")
    private boolean verbose;

    private enum Sidecar {
        AUTO,
        NATIVE,
        PLAIN
    }

    private Injector(Map<String, String> environment, Consumer<AutoCloseable> lifetime) {
        this.environment = environment;
        this.lifetime = lifetime;
    }

    public static void main(String[] arguments) {
        var out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        var err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        System.exit(run(System.getenv(), Lifetime::serveUntilStopped, out, err, arguments));
    }

    /** Runs the program and returns its exit code. */
    static int run(
            Map<String, String> environment,
            Consumer<AutoCloseable> lifetime,
            PrintWriter out,
            PrintWriter err,
            String... arguments) {
        return new CommandLine(new Injector(environment, lifetime))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(out)
                .setErr(err)
                .setParameterExceptionHandler((fault, given) -> {
                    err.println("doyen injector: " + fault.getMessage() + ". Try: doyen injector --help");
                    return EXIT_MISUSED;
                })
                .execute(arguments);
    }

    @Override
    public Integer call() {
        var settings = settings();
        LogLine.install(verbose);
        try (var program = InjectorProgram.start(settings)) {
            lifetime.accept(program);
            return 0;
        } catch (IOException e) {
            commandSpec().commandLine().getErr().println("doyen injector: " + e.getMessage());
            return EXIT_FAILED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return EXIT_FAILED;
        }
    }

    private InjectorSettings settings() {
        try {
            return new InjectorSettings(
                    new ClusterAccess(serverUrl(), serverAuthorities, token, namespace()),
                    image,
                    kind(),
                    address(),
                    certificateFile == null && keyFile == null ? Optional.of(made()) : Optional.empty(),
                    given(),
                    withoutController ? Optional.empty() : Optional.of(control()),
                    checkInterval);
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
    }

    private URI serverUrl() {
        if (server != null) {
            return server;
        }
        var host = environment.get("KUBERNETES_SERVICE_HOST");
        if (host == null) {
            throw usage("this process does not run in a pod, and no API server is named; name one with --server"
                    + " https://host:port");
        }
        return URI.create("https://" + (host.contains(":") ? "[" + host + "]" : host) + ":"
                + environment.getOrDefault("KUBERNETES_SERVICE_PORT", "443"));
    }

    private Optional<SidecarKind> kind() {
        return switch (sidecar) {
            case AUTO -> Optional.empty();
            case NATIVE -> Optional.of(SidecarKind.NATIVE);
            case PLAIN -> Optional.of(SidecarKind.PLAIN);
        };
    }

    private InetSocketAddress address() {
        int colon = listen.lastIndexOf(':');
        var port = listen.substring(colon + 1);
        if (colon < 1 || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > MAX_PORT) {
            throw usage("--listen is '" + listen + "'; write it like localhost:8443, with a port up to " + MAX_PORT);
        }
        return new InetSocketAddress(listen.substring(0, colon), Integer.parseInt(port));
    }

    private String namespace() {
        var where = namespace == null ? environment.get("POD_NAMESPACE") : namespace;
        if (where == null) {
            throw usage("the namespace of the injector, of its certificate and of its Lease is not set; set"
                    + " --namespace or POD_NAMESPACE");
        }
        return where;
    }

    private InjectorSettings.Made made() {
        return new InjectorSettings.Made(
                namespace(),
                secret,
                configuration,
                hosts.isEmpty() ? List.of(SERVICE + "." + namespace() + ".svc") : hosts,
                life);
    }

    /**
     * Returns the settings of the controller.
     *
     * <p>The candidate id is the pod's name, which is unique. Outside a pod, as in tests, the candidate id contains the
     * process id, because several injectors can run on one machine.
     */
    private InjectorSettings.Control control() {
        var candidate = environment.getOrDefault(
                "POD_NAME", SERVICE + "-" + ProcessHandle.current().pid());
        return new InjectorSettings.Control(clusterRole, election, candidate, !withoutLeaderLabels);
    }

    private Optional<InjectorSettings.Given> given() {
        if (certificateFile == null && keyFile == null) {
            return Optional.empty();
        }
        if (certificateFile == null || keyFile == null) {
            throw usage("--certificate-file and --key-file belong together; give both or neither");
        }
        return Optional.of(new InjectorSettings.Given(certificateFile, keyFile));
    }

    private ParameterException usage(String sentence) {
        return new ParameterException(commandSpec().commandLine(), sentence);
    }

    private CommandSpec commandSpec() {
        if (spec == null) {
            throw new IllegalStateException("the command was not started by picocli");
        }
        return spec;
    }
}
