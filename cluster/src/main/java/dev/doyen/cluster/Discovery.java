package dev.doyen.cluster;

import dev.doyen.store.ElectionNames;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** How the processes of a cluster find each other. */
public sealed interface Discovery {

    /** More addresses than this are refused: each is asked by each process that looks for others. */
    int MAX_PEERS = 200;

    /**
     * By a list of addresses, the same for all; it may name this process, and those that do not run.
     *
     * @param addresses at most {@value #MAX_PEERS}; none for a cluster of this process alone
     */
    record Peers(List<InetSocketAddress> addresses) implements Discovery {
        public Peers {
            addresses = List.copyOf(addresses);
            if (addresses.size() > MAX_PEERS) {
                throw new IllegalArgumentException(
                        addresses.size() + " peers are named; at most " + MAX_PEERS + ": find them by DNS");
            }
        }
    }

    /**
     * By the addresses that a name has in DNS, asked again and again, such as that of a headless Service in Kubernetes. All
     * processes listen on the same port.
     *
     * <p>Java itself remembers an answer for 30 s, and for 10 s that there was none. A process that began when the name had
     * its own address alone finds the others later by as much, unless {@code networkaddress.cache.ttl} and
     * {@code networkaddress.cache.negative.ttl} of {@code java.security} say less; {@code doyen ring} sets both to 1 s.
     */
    record Dns(String name) implements Discovery {
        public Dns {
            ElectionNames.check("DNS name", name);
        }
    }

    /** By multicast, in networks that carry it. */
    record Multicast(InetAddress group, int port) implements Discovery {
        public Multicast {
            if (!group.isMulticastAddress()) {
                throw new IllegalArgumentException(group.getHostAddress()
                        + " is no multicast address; choose one from 224.0.0.0 to 239.255.255.255, such as 230.5.5.5");
            }
            ClusterSettings.checkPort("multicast port", port);
        }
    }
}
