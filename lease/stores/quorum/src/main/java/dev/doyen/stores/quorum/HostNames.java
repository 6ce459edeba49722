package dev.doyen.stores.quorum;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Resolves a host name to its current addresses. Threads: any. */
@FunctionalInterface
interface HostNames {

    /** The resolver of the operating system. */
    HostNames SYSTEM = name -> List.of(InetAddress.getAllByName(name));

    /**
     * Returns the current addresses of a host, at least one.
     *
     * @throws UnknownHostException if the name has no address or cannot be resolved
     */
    List<InetAddress> addresses(String name) throws UnknownHostException;
}
