package dev.doyen.cli;

import dev.doyen.elector.AdminAccess;
import dev.doyen.elector.AdminKey;
import dev.doyen.elector.http.CannotListenException;
import dev.doyen.elector.http.ListenAddress;
import picocli.CommandLine.Option;

/** The options of the elector API that {@code doyen elector} and {@code doyen ring} share. */
final class ElectorApiOptions {

    @Option(
            names = "--http",
            paramLabel = "HOST:PORT",
            description = "Address of the elector API. localhost is 127.0.0.1 and ::1. Default: ${DEFAULT-VALUE}")
    private String http = "localhost:4040";

    @Option(
            names = "--probe-address",
            paramLabel = "HOST:PORT",
            description = "Address of /healthz, /readyz and /metrics. Default: ${DEFAULT-VALUE}")
    private String probeAddress = "localhost:4041";

    @Option(
            names = "--admin-commands",
            paramLabel = "FROM",
            description = "Which admin commands (POST, PUT, DELETE) to accept: key (those with the admin key),"
                    + " loopback (all from this machine or pod), anywhere (all), or refused (none). Default: key")
    private AdminCommands adminCommands = AdminCommands.KEY;

    private enum AdminCommands {
        KEY,
        LOOPBACK,
        ANYWHERE,
        REFUSED
    }

    /**
     * Returns the address of the elector API.
     *
     * @throws IllegalArgumentException if the value of the option is not an address
     */
    ListenAddress http() {
        return ListenAddress.parse(http);
    }

    /**
     * Returns the address of the probes.
     *
     * @throws IllegalArgumentException if the value of the option is not an address
     */
    ListenAddress probes() {
        return ListenAddress.parse(probeAddress);
    }

    /** Returns the rule that decides which requests may send admin commands. */
    AdminAccess adminAccess(AdminKey key) {
        return switch (adminCommands) {
            case KEY -> AdminAccess.key(key);
            case LOOPBACK -> AdminAccess.LOOPBACK;
            case ANYWHERE -> AdminAccess.ANYWHERE;
            case REFUSED -> AdminAccess.REFUSED;
        };
    }

    /**
     * Returns the error line for a port that cannot be opened.
     *
     * <p>The line contains the option that changes the port.
     */
    static String sentence(CannotListenException e) {
        String flag = switch (e.port()) {
            case PROBES -> "--probe-address";
            case METRICS -> "--metrics-address";
            case REDIRECT -> "--tls-redirect";
            case ELECTOR, HUB -> "--http";
        };
        return "doyen: " + e.sentence(e.address().getHostString(), flag + " HOST:PORT");
    }
}
