package dev.doyen.server;

import java.net.InetSocketAddress;

/** A port could not be opened. Another port, or stopping whoever has it, helps; trying again alone does not. */
public final class CannotListenException extends Exception {

    private static final long serialVersionUID = 1;

    private final Port port;
    private final transient InetSocketAddress address;
    private final String reason;

    /** Which of the server's ports it was. */
    public enum Port {
        HUB,
        ELECTOR,
        PROBES,
        METRICS
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

    /** The system's reason, in its words. */
    public String reason() {
        return reason;
    }

    public InetSocketAddress address() {
        return address;
    }
}
