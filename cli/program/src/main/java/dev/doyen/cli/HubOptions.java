package dev.doyen.cli;

import dev.doyen.elector.audit.AuditLog;
import dev.doyen.elector.http.AddressLimits;
import dev.doyen.elector.http.TlsSettings;
import dev.doyen.elector.http.TrustedProxies;
import dev.doyen.hub.server.ServerSettings;
import dev.doyen.hub.server.websocket.SessionLimits;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options that {@code doyen demo} and {@code doyen hub} share: addresses, data directory and times.
 *
 * <p>Errors: the methods throw {@link IllegalArgumentException} if a value is invalid. The message names the flag.
 */
final class HubOptions {

    private static final int MAX_PORT = 65_535;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Port of the hub and its pages. Default: ${DEFAULT-VALUE}")
    private int port = 8000;

    @Option(
            names = "--elector-port",
            paramLabel = "PORT",
            description = "Port of the elector API. Default: ${DEFAULT-VALUE}")
    private int electorPort = 4040;

    @Option(
            names = "--probe-port",
            paramLabel = "PORT",
            description = "Port of /healthz, /readyz and /metrics. Default: ${DEFAULT-VALUE}")
    private int probePort = 4041;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            description = "Address to listen on. An address that other machines can reach needs a key that you set."
                    + " Default: ${DEFAULT-VALUE}")
    private String bind = "127.0.0.1";

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Directory of the data that must survive a restart, such as the key and the terms."
                    + " Default: $$DOYEN_DATA, else ~/.doyen")
    private @Nullable Path data;

    @Option(
            names = "--claim-ttl",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "The ttl of the leases that the hub renews for its leaders, 1s to 60s. A client can request"
                    + " a shorter ttl for its claim. Default: 5s")
    private Duration claimTtl = Duration.ofSeconds(5);

    @Option(
            names = "--drain",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "On shutdown, the hub asks its clients one by one to reconnect, within this time; 0s to 10m."
                    + " Default: 5s")
    private Duration drain = Duration.ofSeconds(5);

    Duration claimTtl() {
        return claimTtl;
    }

    String bind() {
        return bind;
    }

    /** Returns true if only this machine can reach the hub. */
    boolean isLoopback() {
        return address().isLoopbackAddress();
    }

    ServerSettings server(
            String election,
            int maxHubConnections,
            TrustedProxies proxies,
            AddressLimits perAddress,
            TlsSettings tls,
            AuditLog audit) {
        checkPort("--port", port);
        checkPort("--elector-port", electorPort);
        checkPort("--probe-port", probePort);
        checkDiffer("--port", port, "--elector-port", electorPort);
        checkDiffer("--port", port, "--probe-port", probePort);
        checkDiffer("--elector-port", electorPort, "--probe-port", probePort);
        long ttlMillis = checkedClaimTtl().toMillis();
        if (drain.compareTo(ServerSettings.MAX_DRAIN) > 0) {
            throw new IllegalArgumentException("--drain " + drain.toMillis() + "ms must be from 0ms to "
                    + ServerSettings.MAX_DRAIN.toMillis() + "ms");
        }
        return new ServerSettings(
                address(),
                port,
                electorPort,
                probePort,
                election,
                ttlMillis,
                maxHubConnections,
                drain,
                perAddress,
                SessionLimits.DEFAULT,
                proxies,
                Optional.empty(),
                tls,
                audit);
    }

    Duration checkedClaimTtl() {
        long ttlMillis = claimTtl.toMillis();
        if (ttlMillis < ServerSettings.MIN_CLAIM_TTL_MILLIS || ttlMillis > ServerSettings.MAX_CLAIM_TTL_MILLIS) {
            throw new IllegalArgumentException("--claim-ttl " + ttlMillis + "ms must be from "
                    + ServerSettings.MIN_CLAIM_TTL_MILLIS + "ms to " + ServerSettings.MAX_CLAIM_TTL_MILLIS + "ms");
        }
        return claimTtl;
    }

    DataDirectory data(Map<String, String> environment) throws CommandFailedException {
        if (data != null) {
            return DataDirectory.open(data);
        }
        var fromEnvironment = environment.getOrDefault("DOYEN_DATA", "");
        return DataDirectory.open(
                fromEnvironment.isEmpty()
                        ? Path.of(System.getProperty("user.home"), ".doyen")
                        : Path.of(fromEnvironment));
    }

    private InetAddress address() {
        try {
            return InetAddress.getByName(bind);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(
                    "--bind '" + bind + "' is no IP address and no known host name; write it like 127.0.0.1 or 0.0.0.0",
                    e);
        }
    }

    private static void checkPort(String flag, int number) {
        if (number < 0 || number > MAX_PORT) {
            throw new IllegalArgumentException(flag + " " + number + " must be from 0 (any free port) to " + MAX_PORT);
        }
    }

    private static void checkDiffer(String flag, int number, String otherFlag, int otherNumber) {
        if (number == otherNumber && number != 0) {
            throw new IllegalArgumentException(
                    flag + " and " + otherFlag + " are both " + number + "; give each its own port");
        }
    }
}
