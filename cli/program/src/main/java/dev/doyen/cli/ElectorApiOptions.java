package dev.doyen.cli;

import dev.doyen.elector.AdminAccess;
import dev.doyen.elector.http.CannotListenException;
import dev.doyen.elector.http.ListenAddress;
import picocli.CommandLine.Option;

/** The options of the elector API that {@code doyen elector} and {@code doyen ring} share. */
final class ElectorApiOptions {

    @Option(
            names = "--http",
            paramLabel = "HOST:PORT",
            description = "Address of the elector API; localhost is 127.0.0.1 and ::1. Default: ${DEFAULT-VALUE}")
    private String http = "localhost:4040";

    @Option(
            names = "--probe-address",
            paramLabel = "HOST:PORT",
            description = "Address of /healthz, /readyz and /metrics. Default: ${DEFAULT-VALUE}")
    private String probes = "localhost:4041";

    @Option(
            names = "--admin-commands",
            paramLabel = "FROM",
            description =
                    "Accepts admin commands (POST, PUT, DELETE) from loopback, anywhere, or refused for none. Default: loopback")
    private AdminAccess adminAccess = AdminAccess.LOOPBACK;

    /**
     * Returns the address of the elector API.
     *
     * @throws IllegalArgumentException if the option is no address
     */
    ListenAddress http() {
        return ListenAddress.parse(http);
    }

    /**
     * Returns the address of the probes.
     *
     * @throws IllegalArgumentException if the option is no address
     */
    ListenAddress probes() {
        return ListenAddress.parse(probes);
    }

    AdminAccess adminAccess() {
        return adminAccess;
    }

    /** Returns the line that tells the user which option moves a port that cannot be opened. */
    static String sentence(CannotListenException e) {
        String flag = switch (e.port()) {
            case PROBES -> "--probe-address";
            case METRICS -> "--metrics-address";
            case ELECTOR, HUB -> "--http";
        };
        return "doyen: Port " + e.address().getPort() + " on " + e.address().getHostString() + " cannot be opened ("
                + e.reason() + "); choose another by " + flag + " HOST:PORT, or stop what uses it.";
    }
}
