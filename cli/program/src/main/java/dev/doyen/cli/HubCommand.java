package dev.doyen.cli;

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
import dev.doyen.text.ElectionNames;
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

/** {@code doyen hub}: runs the hub for your own applications. */
@Command(
        name = "hub",
        description = "Serves a hub that speaks the Ably realtime protocol, until it is stopped.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Environment:",
            "  DOYEN_KEY   a key that may do everything, written appId.keyId:secret",
            "  DOYEN_KEYS  several of them, with commas between",
            "  DOYEN_DATA  the data directory, unless --data names one",
            "Without any key, here or in the settings file, one is made up and kept in the",
            "data directory; then only this machine is let in."
        })
final class HubCommand extends BaseCommand {

    private final HubStart start;
    private final Map<String, String> environment;
    private final ServerLifecycle lifecycle;

    @Mixin
    private final HubOptions options = new HubOptions();

    @Option(
            names = "--store",
            paramLabel = "URL",
            description = "The store of the leases behind claims. Default: files in the data directory")
    private @Nullable String store;

    @Option(
            names = "--settings",
            paramLabel = "FILE",
            description = "Keys, rules for channels and limits, in YAML or JSON.")
    private @Nullable Path settingsFile;

    @Option(
            names = "--nodes",
            paramLabel = "URL",
            description =
                    "Redis 7 or later, which the nodes of one hub share: redis://HOST:PORT. All nodes need the same keys,"
                            + " --settings and --store.")
    private @Nullable String nodes;

    @Option(names = "--check-settings", description = "Prints the settings in force, without secrets, and ends.")
    private boolean checkOnly;

    @Option(
            names = "--sandbox",
            description = "Lets test suites of SDKs create apps with their own keys; on this machine only.")
    private boolean sandbox;

    @Option(
            names = "--election",
            paramLabel = "NAME",
            description = "The channel whose leader / of the elector API reports. Default: ${DEFAULT-VALUE}")
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
            throw usage("--bind " + options.bind() + " lets other machines in; give the hub a key of your own first"
                    + " (DOYEN_KEY=appId.keyId:secret, or keys in --settings FILE), or leave --bind out");
        }
        if (sandbox && !settings.bind().isLoopbackAddress()) {
            throw usage("--sandbox gives everybody keys who can reach it, so it serves this machine only; leave out"
                    + " --bind " + options.bind() + ", or --sandbox");
        }
        if (plan.nodes().isPresent()) {
            checkNodes(plan);
        }
        DataDirectory directory = options.data(environment);
        if (plan.keys().isEmpty()) {
            plan = plan(List.of(HubKey.of(directory.key(new SecureRandom()).text())));
        }
        String where = store == null ? HubStart.files(directory) : store;
        try (var server = start(settings, plan, where)) {
            greet(settings, server, directory, plan);
            lifecycle.serveUntilStopped(server);
        }
        return 0;
    }

    private HubServer start(ServerSettings settings, HubPlan plan, String where) throws CommandFailedException {
        try {
            return start.start(
                    options, settings, plan, where, HubPages.CLIENT_ONLY, sandbox ? Sandbox.ON : Sandbox.OFF);
        } catch (IllegalArgumentException e) {
            throw usage("--store: " + e.getMessage());
        }
    }

    /**
     * Checks that a node of several has the keys and the store.
     *
     * <p>All nodes must share them, so a node cannot make its own.
     */
    private void checkNodes(HubPlan plan) throws CommandFailedException {
        if (plan.keys().isEmpty()) {
            throw usage(
                    "a node of several needs the keys that the others have; give it DOYEN_KEY=appId.keyId:secret, or"
                            + " keys in --settings FILE");
        }
        if (store == null) {
            throw usage("a node of several needs the store that the others have; give it --store URL");
        }
        if (sandbox) {
            throw usage("--sandbox is for one hub by itself; leave out the nodes, or --sandbox");
        }
    }

    private HubPlan plan(List<HubKey> made) throws CommandFailedException {
        try {
            var file = settingsFile == null ? HubSettingsFile.NONE : HubSettingsFile.read(settingsFile, environment);
            var keys = new ArrayList<>(keysOfEnvironment());
            keys.addAll(made);
            return HubPlan.of(file, keys, options.checkedClaimTtl(), Optional.ofNullable(nodes));
        } catch (SettingsException e) {
            throw new CommandFailedException(e.getMessage() + ".", e);
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
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
            return options.server(election, plan.settings().maxConnections());
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
    }

    private void greet(ServerSettings settings, HubServer server, DataDirectory directory, HubPlan plan) {
        var out = out();
        var probes = Urls.root(settings.bind(), server.probeAddress().getPort());
        out.println("Doyen's hub serves.");
        out.println();
        out.println("  hub            "
                + Urls.root(settings.bind(), server.hubAddress().getPort()));
        out.println("  elector API    "
                + Urls.root(settings.bind(), server.electorAddress().getPort()));
        out.println("  probes         " + probes + "healthz  " + probes + "readyz");
        plan.nodes().ifPresent(shared -> out.println("  nodes          " + shared.name() + " at " + shared.shownUrl()));
        out.println("  data           " + directory.path().toAbsolutePath());
        out.println("  keys           "
                + String.join(", ", plan.keys().stream().map(HubKey::name).toList()));
        out.println();
        out.println("Ctrl-C stops it.");
        out.flush();
    }
}
