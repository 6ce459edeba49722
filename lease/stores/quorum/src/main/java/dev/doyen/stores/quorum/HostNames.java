package dev.doyen.stores.quorum;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Resolves a host name to its current addresses. Threads: any. */
@FunctionalInterface
interface HostNames {

    /** Resolves names with the operating system. */
    HostNames SYSTEM = name -> List.of(InetAddress.getAllByName(name));

    /**
     * Returns at least one address.
     *
     * @throws UnknownHostException if the name has no address or cannot be resolved
     */
    List<InetAddress> addresses(String name) throws UnknownHostException;
}
