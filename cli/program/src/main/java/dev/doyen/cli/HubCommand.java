package dev.doyen.cli;

import dev.doyen.elector.AdminKey;
import dev.doyen.elector.http.Audience;
import dev.doyen.elector.http.CannotListenException.Port;
import dev.doyen.elector.http.Urls;
import dev.doyen.hub.Sandbox;
import dev.doyen.hub.auth.HubKey;
import dev.doyen.hub.server.HubPages;
import dev.doyen.hub.server.HubServer;
import dev.doyen.hub.server.ServerSettings;
import dev.doyen.hub.server.claims.ClaimsOpener;
import dev.doyen.hub.server.settings.HubPlan;
import dev.doyen.hub.server.settings.HubSettingsFile;
import dev.doyen.hub.server.settings.SettingsException;
import dev.doyen.hub.server.settings.SettingsReload;
import dev.doyen.text.ElectionNames;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code doyen hub}: runs a hub for the user's applications. */
@Command(
        name = "hub",
        description = "Runs a hub, a server for the Ably realtime protocol, until Ctrl-C or SIGTERM.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Environment:",
            "  DOYEN_KEY        a key with all rights, in the form appId.keyId:secret",
            "  DOYEN_KEYS       several such keys, separated by commas",
            "  DOYEN_DATA       the data directory, unless --data is set",
            "  DOYEN_ADMIN_KEY  the key for the console and for admin commands: 22 to 200",
            "                   letters, digits and - _ . ~. If it is not set and only this",
            "                   machine can reach the hub, the hub prints a random key.",
            "If neither the environment nor the settings file contains a key, the hub creates a random key in the data"
                    + " directory. Then only this machine can connect to the hub."
        })
final class HubCommand extends BaseCommand {

    private static final System.Logger LOG = System.getLogger("dev.doyen");

    private final HubStart start;
    private final Map<String, String> environment;
    private final ServerLifecycle lifecycle;

    @Mixin
    private final HubOptions options = new HubOptions();

    @Mixin
    private final TlsOptions tls = new TlsOptions();

    @Mixin
    private final AuditLogOption auditLog = new AuditLogOption();

    @Option(
            names = "--store",
            paramLabel = "URL",
            description = "The store of the leases that the hub acquires for its leaders. Default: files in the data"
                    + " directory")
    private @Nullable String store;

    @Option(
            names = "--settings",
            paramLabel = "FILE",
            description = "File with keys, rules for channels and limits, in YAML or JSON. If the file changes, the"
                    + " running hub replaces its keys within 10 s, or at once after SIGHUP.")
    private @Nullable Path settingsFile;

    @Option(
            names = "--nodes",
            paramLabel = "URL",
            description = "Runs this process as one of several nodes of a hub. The nodes share this Redis, version 7"
                    + " or later: redis://HOST:PORT. All nodes need the same keys, --settings and --store.")
    private @Nullable String nodes;

    @Option(names = "--check-settings", description = "Checks the settings, prints them without secrets, and exits.")
    private boolean checkOnly;

    @Option(
            names = "--sandbox",
            description = "Lets every client create apps with new keys, for the test suites of SDKs. Requires a"
                    + " loopback address in --bind.")
    private boolean sandbox;

    @Option(
            names = "--election",
            paramLabel = "NAME",
            description = "The channel whose leader GET / of the elector API returns. Default: ${DEFAULT-VALUE}")
    private String election = "main";

    HubCommand(ClaimsOpener opener, Map<String, String> environment, ServerLifecycle lifecycle) {
        this.start = new HubStart(opener);
        this.environment = environment;
        this.lifecycle = lifecycle;
    }

    @Override
    public Integer call() throws CommandFailedException {
        HubPlan plan = plan(List.of());
        if (checkOnly) {
            out().print(plan.text());
            out().flush();
            return 0;
        }
        ServerSettings settings = settings(plan);
        if (plan.keys().isEmpty() && !settings.bind().isLoopbackAddress()) {
            throw usage("--bind " + options.bind()
                    + " opens the hub to other machines; give the hub a key of your own first"
                    + " (DOYEN_KEY=appId.keyId:secret, or keys in --settings FILE), or leave --bind out");
        }
        weakSecret(plan).ifPresent(sentence -> {
            throw usage(sentence);
        });
        if (sandbox && !settings.bind().isLoopbackAddress()) {
            throw usage("--sandbox gives a key to every client, so only this machine may reach the hub; leave out"
                    + " --bind " + options.bind() + ", or --sandbox");
        }
        if (plan.nodes().isPresent()) {
            checkNodes(plan);
        }
        DataDirectory directory = options.data(environment);
        List<HubKey> made = plan.keys().isEmpty()
                ? List.of(HubKey.of(directory.key(new SecureRandom()).text()))
                : List.of();
        Optional<SettingsReload> reload = reload(made);
        plan = reload.isPresent() ? reload.get().plan() : plan(made);
        String where = store == null ? HubStart.files(directory) : store;
        Optional<AdminKey> adminKey = adminKey(settings);
        FileDescriptors.warning(settings.maxConnections()).ifPresent(warning -> LOG.log(Level.WARNING, warning));
        try (var server = start(settings.withData(directory.path()), plan, reload, where, adminKey)) {
            greet(settings, server, directory, plan, adminKey);
            lifecycle.serveUntilStopped(server);
        }
        return 0;
    }

    /**
     * Returns the admin key; empty if there is none.
     *
     * <p>If the user has chosen no key and only this machine can reach the hub, the result is a random key. If the
     * user has chosen no key and other machines can reach the hub, the result is empty.
     */
    private Optional<AdminKey> adminKey(ServerSettings settings) {
        try {
            return settings.audience() == Audience.LOOPBACK || AdminKeyOption.isSet(environment)
                    ? Optional.of(AdminKeyOption.of(environment))
                    : Optional.empty();
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Returns the error about a key whose secret is too short.
     *
     * <p>The result is empty if all secrets are long enough, or if only this machine can reach the hub.
     */
    private Optional<String> weakSecret(HubPlan plan) {
        return plan.keys().stream()
                .filter(key -> !options.isLoopback() && !key.hasStrongSecret())
                .findFirst()
                .map(key -> "--bind " + options.bind()
                        + " opens the hub to other machines, and the secret of the key " + key.name()
                        + " has fewer than " + HubKey.MIN_STRONG_SECRET + " characters; use a random secret,"
                        + " such as the output of: openssl rand -hex 16");
    }

    /**
     * Opens the settings file for later reloads. The result is empty if the user has named no settings file.
     *
     * @param made the key that this hub has created; empty if the hub has other keys
     */
    private Optional<SettingsReload> reload(List<HubKey> made) throws CommandFailedException {
        if (settingsFile == null) {
            return Optional.empty();
        }
        List<HubKey> others = keysOfEnvironment();
        try {
            return Optional.of(SettingsReload.open(settingsFile, environment, content -> {
                HubPlan plan = plan(content, others);
                if (plan.keys().isEmpty()) {
                    plan = plan(content, made);
                }
                if (plan.keys().isEmpty()) {
                    throw new SettingsException(
                            "neither the settings file nor the environment contains a key; add a" + " key to the file");
                }
                Optional<String> weak = weakSecret(plan);
                if (weak.isPresent()) {
                    throw new SettingsException(weak.get());
                }
                return plan;
            }));
        } catch (SettingsException e) {
            throw new CommandFailedException(e.getMessage() + ".", e);
        }
    }

    private HubServer start(
            ServerSettings settings,
            HubPlan plan,
            Optional<SettingsReload> reload,
            String where,
            Optional<AdminKey> adminKey)
            throws CommandFailedException {
        try {
            return start.start(
                    options,
                    settings,
                    plan,
                    reload,
                    where,
                    adminKey,
                    HubPages.CLIENT_ONLY,
                    sandbox ? Sandbox.ON : Sandbox.OFF);
        } catch (IllegalArgumentException e) {
            throw usage("--store: " + e.getMessage());
        }
    }

    /**
     * Checks the settings of a node of a hub with several nodes.
     *
     * <p>All nodes must share the keys and the store, so a node cannot create its own key or use its own files.
     */
    private void checkNodes(HubPlan plan) throws CommandFailedException {
        if (plan.keys().isEmpty()) {
            throw usage("all nodes of a hub need the same keys; give this node DOYEN_KEY=appId.keyId:secret, or"
                    + " keys in --settings FILE");
        }
        if (store == null) {
            throw usage("all nodes of a hub need the same store; give this node --store URL");
        }
        if (sandbox) {
            throw usage("--sandbox works only without other nodes; leave out --sandbox, or both --nodes and the section"
                    + " nodes of the settings file");
        }
    }

    private HubPlan plan(List<HubKey> made) throws CommandFailedException {
        try {
            var file = settingsFile == null ? HubSettingsFile.NONE : HubSettingsFile.read(settingsFile, environment);
            var keys = new ArrayList<>(keysOfEnvironment());
            keys.addAll(made);
            return plan(file, keys);
        } catch (SettingsException e) {
            throw new CommandFailedException(e.getMessage() + ".", e);
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
    }

    private HubPlan plan(HubSettingsFile file, List<HubKey> otherKeys) throws SettingsException {
        return HubPlan.of(file, otherKeys, options.checkedClaimTtl(), Optional.ofNullable(nodes));
    }

    private List<HubKey> keysOfEnvironment() throws CommandFailedException {
        var keys = new ArrayList<HubKey>();
        for (String name : List.of("DOYEN_KEY", "DOYEN_KEYS")) {
            String text = environment.getOrDefault(name, "");
            for (String key : text.isEmpty() ? new String[0] : text.split(",", -1)) {
                try {
                    keys.add(HubKey.of(new ApiKey(key.strip()).text()));
                } catch (IllegalArgumentException e) {
                    throw new CommandFailedException(name + " cannot be used: " + e.getMessage() + ".", e);
                }
            }
        }
        return keys;
    }

    private ServerSettings settings(HubPlan plan) {
        try {
            ElectionNames.checkElection(election);
            return options.server(
                    election,
                    plan.settings().maxConnections(),
                    plan.proxies(),
                    plan.perAddress(),
                    tls.open(),
                    auditLog.open());
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
    }

    private void greet(
            ServerSettings settings,
            HubServer server,
            DataDirectory directory,
            HubPlan plan,
            Optional<AdminKey> adminKey) {
        var out = out();
        var ports = settings.tls();
        var probes = Urls.root(
                ports.scheme(Port.PROBES),
                settings.bind(),
                server.probeAddress().getPort());
        out.println("Doyen's hub serves.");
        out.println();
        String hub = Urls.root(
                ports.scheme(Port.HUB), settings.bind(), server.hubAddress().getPort());
        out.println("  hub            " + hub);
        adminKey.ifPresent(key -> out.println("  console        " + AdminKeyOption.console(hub, key, environment)));
        out.println("  elector API    "
                + Urls.root(
                        ports.scheme(Port.ELECTOR),
                        settings.bind(),
                        server.electorAddress().getPort()));
        server.redirectAddress()
                .ifPresent(from -> out.println("  redirect       "
                        + Urls.root(ports.scheme(Port.REDIRECT), from.getAddress(), from.getPort()) + " to HTTPS"));
        out.println("  probes         " + probes + "healthz  " + probes + "readyz  " + probes + "metrics");
        plan.nodes().ifPresent(shared -> out.println("  nodes          " + shared.name() + " at " + shared.shownUrl()));
        out.println("  data           " + directory.path().toAbsolutePath());
        out.println("  keys           "
                + String.join(", ", plan.keys().stream().map(HubKey::name).toList()));
        out.println();
        out.println("Ctrl-C stops it.");
        out.flush();
    }
}
