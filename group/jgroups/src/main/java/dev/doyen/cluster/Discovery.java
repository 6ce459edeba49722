package dev.doyen.cluster;

import dev.doyen.text.ElectionNames;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** How the processes of a cluster find each other. */
public sealed interface Discovery {

    /** Limit for addresses, because each process that looks for others asks all of them. */
    int MAX_PEERS = 200;

    /**
     * Discovery by a list of addresses, the same for all members.
     *
     * <p>The list may contain this process, and processes that do not run.
     *
     * @param addresses at most {@value #MAX_PEERS}; empty for a cluster of this process alone
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
     * Discovery by the addresses of a DNS name, such as that of a headless Service in Kubernetes.
     *
     * <p>The name is resolved repeatedly. All members listen on the same port.
     *
     * <p>Java caches an answer for 30 s, and a failure for 10 s. So a process that starts while the name has only its
     * own address may find the others that much later. The security properties {@code networkaddress.cache.ttl} and
     * {@code networkaddress.cache.negative.ttl} can shorten this. {@code doyen ring} sets both to 1 s.
     */
    record Dns(String name) implements Discovery {
        public Dns {
            ElectionNames.check("DNS name", name);
        }
    }

    /** Discovery by multicast, in networks that support it. */
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
