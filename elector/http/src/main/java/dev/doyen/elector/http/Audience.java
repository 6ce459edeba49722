package dev.doyen.elector.http;

/** The machines that can reach a port. */
public enum Audience {
    /** Only this machine can reach the port. A proxy on this machine may still forward requests of other machines. */
    LOOPBACK,
    /** All machines that can reach the bound address can reach the port. */
    NETWORK
}
