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
    /** The message of the operating system. */
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

    /**
     * Returns a sentence for the person who has started the program.
     *
     * @param host the host as this person has given it
     * @param option the option that changes the port, with the form of its value, such as {@code --port PORT}
     */
    public String sentence(String host, String option) {
        return "Port " + address.getPort() + " on " + host + " cannot be opened (" + reason + "); choose another with "
                + option + ", or stop the program that uses it.";
    }

    public InetSocketAddress address() {
        return address;
    }
}
