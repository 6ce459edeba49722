package dev.doyen.cli;

import dev.doyen.demo.DemoPages;
import dev.doyen.demo.quorum.driver.QuorumDemo;
import dev.doyen.elector.AdminKey;
import dev.doyen.elector.audit.AuditLog;
import dev.doyen.elector.http.AddressLimits;
import dev.doyen.elector.http.CannotListenException;
import dev.doyen.elector.http.TlsSettings;
import dev.doyen.elector.http.TrustedProxies;
import dev.doyen.hub.Sandbox;
import dev.doyen.hub.auth.HubKey;
import dev.doyen.hub.server.HubServer;
import dev.doyen.hub.server.ServerSettings;
import dev.doyen.hub.server.claims.ClaimSettings;
import dev.doyen.hub.server.claims.ClaimsOpener;
import dev.doyen.hub.server.settings.HubPlan;
import dev.doyen.hub.settings.ChannelRules;
import dev.doyen.hub.settings.HubSettings;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code doyen demo}: serves a hub, a page whose tabs elect a leader, and the elector API. */
@Command(
        name = "demo",
        description = "Serves a web page whose open tabs elect a leader, until Ctrl-C or SIGTERM.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "More pages are at /game/, /voting/, /ring/ and /quorum/. The page /quorum/ shows a quorum of processes. A"
                    + " button on this page starts the processes, and --quorum starts them together with the demo.",
            "",
            "Environment:",
            "  DOYEN_KEY        the key of the hub, in the form appId.keyId:secret. If it",
            "                   is not set, the demo creates a random key in the data",
            "                   directory.",
            "  DOYEN_DATA       the data directory, unless --data is set",
            "  DOYEN_ADMIN_KEY  the key for the console and for admin commands. If it is",
            "                   not set, the demo prints a random key."
        })
final class DemoCommand extends BaseCommand {

    private final HubStart start;
    private final Map<String, String> environment;
    private final ServerLifecycle lifecycle;

    @Mixin
    private final HubOptions options = new HubOptions();

    @Option(
            names = "--channel",
            paramLabel = "NAME",
            description = "The channel that the tabs use. Default: ${DEFAULT-VALUE}")
    private String channel = "counter";

    @Option(
            names = "--quorum",
            description = "Also starts a quorum of three processes. On the page /quorum/ you can kill, freeze and"
                    + " disconnect each of them. Not allowed if --bind opens the page to other machines.")
    private boolean isQuorum;

    @Option(
            names = "--share",
            arity = "0..1",
            fallbackValue = "",
            paramLabel = "ADDRESS",
            description = "Also opens the pages to phones and other machines of the network. Prints their address and"
                    + " its QR code. These pages get tokens, and never the key. The console and admin commands stay on"
                    + " this machine. Default of ADDRESS: the address with which this machine reaches other networks.")
    private @Nullable String share;

    DemoCommand(ClaimsOpener opener, Map<String, String> environment, ServerLifecycle lifecycle) {
        this.start = new HubStart(opener);
        this.environment = environment;
        this.lifecycle = lifecycle;
    }

    @Override
    public Integer call() throws CommandFailedException {
        var settings = settings();
        var explicitKey = explicitKey();
        boolean isBound = !settings.bind().isLoopbackAddress();
        if (isBound && share != null) {
            throw usage("--bind " + options.bind()
                    + " already opens the demo to other machines; leave out --share or --bind");
        }
        if (isBound && explicitKey == null) {
            throw usage(
                    "--bind " + options.bind() + " opens the demo to other machines; set DOYEN_KEY to a key of your own"
                            + " (appId.keyId:secret) first, or leave --bind out");
        }
        if ((isBound || share != null)
                && explicitKey != null
                && !HubKey.of(explicitKey.text()).hasStrongSecret()) {
            throw usage((isBound ? "--bind " + options.bind() : "--share")
                    + " opens the demo to other machines, and the secret of DOYEN_KEY has"
                    + " fewer than " + HubKey.MIN_STRONG_SECRET + " characters; use a random secret, such as the output"
                    + " of: openssl rand -hex 16");
        }
        if (isBound && isQuorum) {
            throw usage("--quorum lets everyone who can open the page start and end processes, and --bind "
                    + options.bind() + " opens the page to other machines; leave out --quorum or --bind");
        }
        Optional<InetAddress> shared = share == null ? Optional.empty() : Optional.of(sharedAddress(share));
        var directory = options.data(environment);
        var key = explicitKey == null ? directory.key(new SecureRandom()) : explicitKey;
        // Only the leader may publish the count. So the channel of the demo is fenced (rule C11).
        var rules = HubSettings.builder()
                .channelRules(ChannelRules.fenced(settings.channel()))
                .maxClaimTtl(options.claimTtl())
                .build();
        var plan = new HubPlan(
                List.of(HubKey.of(key.text())),
                rules,
                Optional.empty(),
                TrustedProxies.NONE,
                AddressLimits.DEFAULT,
                ClaimSettings.DEFAULT_SAVED_STATE_AGE,
                List.of(),
                Map.of());
        AdminKey adminKey = adminKey();
        var pages = new DemoPages(key.text(), adminKey, settings);
        try (var server = start.start(
                options,
                settings,
                plan,
                Optional.empty(),
                HubStart.files(directory),
                Optional.of(adminKey),
                pages,
                Sandbox.OFF)) {
            Optional<String> sharedUrl =
                    shared.isEmpty() ? Optional.empty() : Optional.of(share(pages, server, shared.get()));
            var quorum = pages.quorum().filter(any -> isQuorum);
            quorum.ifPresent(QuorumDemo::start);
            DemoGreeting.print(
                    out(),
                    settings,
                    new DemoGreeting.Served(
                            server.hubAddress().getPort(),
                            server.electorAddress().getPort(),
                            server.probeAddress().getPort(),
                            sharedUrl),
                    directory.path(),
                    quorum.isPresent(),
                    AdminKeyOption.fragment(adminKey, environment));
            lifecycle.serveUntilStopped(server);
        }
        return 0;
    }

    /** Returns the given address, or the address of this machine in its network if the text is empty. */
    private InetAddress sharedAddress(String given) throws CommandFailedException {
        if (given.isEmpty()) {
            return NetworkAddress.find()
                    .orElseThrow(
                            () -> new CommandFailedException("--share found no network of this machine; connect it to"
                                    + " a network, or give its address with --share ADDRESS."));
        }
        InetAddress address;
        try {
            address = InetAddress.getByName(given);
        } catch (UnknownHostException e) {
            throw usage(
                    "--share '" + given + "' is no IP address and no known host name; write it like 192.168.1.20, or"
                            + " leave out the address");
        }
        if (!NetworkAddress.isOurs(address)) {
            throw usage("--share " + given + " is not an address with which other machines reach this machine; give one"
                    + " of its network interfaces, or leave out the address");
        }
        return address;
    }

    private String share(DemoPages pages, HubServer server, InetAddress address) throws CommandFailedException {
        try {
            return pages.share(server, address);
        } catch (CannotListenException e) {
            throw new CommandFailedException(e.sentence(address.getHostAddress(), "--port PORT"), e);
        }
    }

    private AdminKey adminKey() {
        try {
            return AdminKeyOption.of(environment);
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
    }

    private ServerSettings settings() {
        if (!DemoPages.isChannel(channel)) {
            throw usage("--channel '" + channel + "' is not allowed; a name has 1 to 100 letters, digits and : . _ -,"
                    + " and begins with a letter or a digit");
        }
        try {
            return options.server(
                    channel,
                    HubSettings.defaults().maxConnections(),
                    TrustedProxies.NONE,
                    AddressLimits.DEFAULT,
                    TlsSettings.NONE,
                    AuditLog.NONE);
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
    }

    private @Nullable ApiKey explicitKey() throws CommandFailedException {
        var text = environment.getOrDefault("DOYEN_KEY", "");
        if (text.isEmpty()) {
            return null;
        }
        try {
            return new ApiKey(text);
        } catch (IllegalArgumentException e) {
            throw new CommandFailedException("DOYEN_KEY cannot be used: " + e.getMessage() + ".", e);
        }
    }
}
