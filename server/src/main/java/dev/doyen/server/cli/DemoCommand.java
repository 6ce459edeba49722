package dev.doyen.server.cli;

import dev.doyen.hub.Hub;
import dev.doyen.hub.HubKeys;
import dev.doyen.hub.HubSettings;
import dev.doyen.server.CannotListenException;
import dev.doyen.server.DoyenServer;
import dev.doyen.server.ServerSettings;
import dev.doyen.server.claims.ClaimsOpener;
import dev.doyen.server.websocket.SessionLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code doyen demo}: a hub with a page whose tabs elect a leader, and the elector API that shows who it is. */
@Command(
        name = "demo",
        description = "Serves a page whose tabs elect a leader among them, until it is stopped.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Environment:",
            "  DOYEN_KEY   the hub's key, written appId.keyId:secret; made up and kept in",
            "              the data directory if it is not set",
            "  DOYEN_DATA  the data directory, unless --data names one"
        })
final class DemoCommand extends SpokenCommand {

    private static final Pattern CHANNEL = Pattern.compile("[A-Za-z0-9][A-Za-z0-9:._-]{0,99}");
    private static final int MAX_PORT = 65_535;

    private final ClaimsOpener opener;
    private final Map<String, String> environment;
    private final Lifetime lifetime;

    @Option(names = "--port", paramLabel = "PORT", description = "Page and hub. Default: ${DEFAULT-VALUE}")
    private int port = 8000;

    @Option(names = "--elector-port", paramLabel = "PORT", description = "Elector API. Default: ${DEFAULT-VALUE}")
    private int electorPort = 4040;

    @Option(names = "--probe-port", paramLabel = "PORT", description = "Probes. Default: ${DEFAULT-VALUE}")
    private int probePort = 4041;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            description = "Address to listen on; beyond this machine only with DOYEN_KEY. Default: ${DEFAULT-VALUE}")
    private String bind = "127.0.0.1";

    @Option(names = "--channel", paramLabel = "NAME", description = "Where the tabs meet. Default: ${DEFAULT-VALUE}")
    private String channel = "counter";

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "What outlives a restart: key and terms. Default: $$DOYEN_DATA, else ~/.doyen")
    private @Nullable Path data;

    @Option(
            names = "--claim-ttl",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "How soon a silent leader is replaced, 1s to 60s. Default: 5s")
    private Duration claimTtl = Duration.ofSeconds(5);

    DemoCommand(ClaimsOpener opener, Map<String, String> environment, Lifetime lifetime) {
        this.opener = opener;
        this.environment = environment;
        this.lifetime = lifetime;
    }

    @Override
    public Integer call() throws CommandFailedException {
        var settings = settings();
        var explicitKey = explicitKey();
        if (!settings.bind().isLoopbackAddress() && explicitKey == null) {
            throw usage("--bind " + bind + " lets other machines in; set DOYEN_KEY to a key of your own"
                    + " (appId.keyId:secret) first, or leave --bind out");
        }
        var directory = DataDirectory.open(dataDirectory());
        var key = explicitKey == null ? directory.key(new SecureRandom()) : explicitKey;
        try (var server = start(settings, key, directory)) {
            DemoGreeting.print(
                    out(),
                    settings,
                    server.hubAddress().getPort(),
                    server.electorAddress().getPort(),
                    server.probeAddress().getPort(),
                    directory.path());
            lifetime.serveUntilStopped(server);
        }
        return 0;
    }

    private DoyenServer start(ServerSettings settings, ApiKey key, DataDirectory directory)
            throws CommandFailedException {
        // Only the leader counts, so only the leader may publish: the demo's channel is fenced (rule C11).
        var rules = HubSettings.builder()
                .fencedChannels(List.of(settings.channel()))
                .maxClaimTtl(claimTtl)
                .build();
        var hub = new Hub(rules, HubKeys.of(List.of(key.text())));
        try {
            var claims = opener.open(directory.path(), settings.channel(), claimTtl);
            return DoyenServer.start(settings, hub, key.text(), claims);
        } catch (IOException e) {
            throw new CommandFailedException(String.valueOf(e.getMessage()), e);
        } catch (CannotListenException e) {
            var flag = switch (e.port()) {
                case HUB -> "--port";
                case ELECTOR -> "--elector-port";
                case PROBES, METRICS -> "--probe-port";
            };
            throw new CommandFailedException(
                    "Port " + e.address().getPort() + " on " + bind + " cannot be opened (" + e.reason()
                            + "); choose another by " + flag + " PORT, or stop what uses it.",
                    e);
        }
    }

    private ServerSettings settings() {
        checkPort("--port", port);
        checkPort("--elector-port", electorPort);
        checkPort("--probe-port", probePort);
        checkDiffer("--port", port, "--elector-port", electorPort);
        checkDiffer("--port", port, "--probe-port", probePort);
        checkDiffer("--elector-port", electorPort, "--probe-port", probePort);
        if (!CHANNEL.matcher(channel).matches()) {
            throw usage("--channel '" + channel + "' must be 1 to 100 letters, digits and any of : . _ -,"
                    + " the first a letter or digit");
        }
        long ttlMillis = claimTtl.toMillis();
        if (ttlMillis < ServerSettings.MIN_CLAIM_TTL_MILLIS || ttlMillis > ServerSettings.MAX_CLAIM_TTL_MILLIS) {
            throw usage("--claim-ttl " + ttlMillis + "ms must be from " + ServerSettings.MIN_CLAIM_TTL_MILLIS + "ms to "
                    + ServerSettings.MAX_CLAIM_TTL_MILLIS + "ms");
        }
        return new ServerSettings(address(), port, electorPort, probePort, channel, ttlMillis, SessionLimits.DEFAULT);
    }

    private InetAddress address() {
        try {
            return InetAddress.getByName(bind);
        } catch (UnknownHostException e) {
            throw usage("--bind '" + bind + "' is no address of this machine; write it like 127.0.0.1 or 0.0.0.0");
        }
    }

    private void checkPort(String flag, int number) {
        if (number < 0 || number > MAX_PORT) {
            throw usage(flag + " " + number + " must be from 0 (any free port) to " + MAX_PORT);
        }
    }

    private void checkDiffer(String flag, int number, String otherFlag, int otherNumber) {
        if (number == otherNumber && number != 0) {
            throw usage(flag + " and " + otherFlag + " are both " + number + "; give each its own port");
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

    private Path dataDirectory() {
        if (data != null) {
            return data;
        }
        var fromEnvironment = environment.getOrDefault("DOYEN_DATA", "");
        return fromEnvironment.isEmpty()
                ? Path.of(System.getProperty("user.home"), ".doyen")
                : Path.of(fromEnvironment);
    }
}
