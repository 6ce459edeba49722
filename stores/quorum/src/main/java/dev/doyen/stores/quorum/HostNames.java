package dev.doyen.stores.quorum;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Finds the addresses that a host's name has now. Threads: any. */
@FunctionalInterface
interface HostNames {

    /** As the system finds them. */
    HostNames SYSTEM = name -> List.of(InetAddress.getAllByName(name));

    /**
     * Returns at least one address.
     *
     * @throws UnknownHostException if the name has none, or cannot be asked for
     */
    List<InetAddress> addresses(String name) throws UnknownHostException;
}
