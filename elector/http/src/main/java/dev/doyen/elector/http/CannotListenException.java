package dev.doyen.elector.http;

import java.net.InetSocketAddress;
import java.util.Locale;

/**
 * Thrown if the server cannot open a port.
 *
 * <p>If another process uses the port, each retry fails until that process has stopped.
 */
public final class CannotListenException extends Exception {

    private static final long serialVersionUID = 1;

    private final Port port;
    private final transient InetSocketAddress address;
    private final String reason;

    /** The port that the server could not open. */
    public enum Port {
        HUB,
        ELECTOR,
        PROBES,
        METRICS,
        /** The port that redirects to HTTPS. */
        REDIRECT;

        /** Returns the value of the label {@code port} of metrics. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public CannotListenException(Port port, InetSocketAddress address, Throwable cause) {
        super(
                "cannot listen on " + address.getHostString() + ":" + address.getPort() + ": " + cause.getMessage(),
                cause);
        this.port = port;
        this.address = address;
        this.reason = String.valueOf(cause.getMessage());
    }

    public Port port() {
        return port;
    }

    /** Returns the message of the operating system. */
    public String reason() {
        return reason;
    }

    public InetSocketAddress address() {
        return address;
    }
}
