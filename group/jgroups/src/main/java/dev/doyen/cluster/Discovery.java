package dev.doyen.cluster;

import dev.doyen.text.ElectionNames;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** The method by which the processes of a cluster find each other. */
public sealed interface Discovery {

    /**
     * The maximum number of addresses. The number is limited, because a process that searches for other members sends a
     * request to each address.
     */
    int MAX_PEERS = 200;

    /**
     * Discovery by a list of addresses. All members may use the same list.
     *
     * <p>The list may contain the address of this process, and addresses of processes that do not run.
     *
     * @param addresses the addresses of the peers, at most {@value #MAX_PEERS}; empty if this process does not search
     *     for other members
     */
    record Peers(List<InetSocketAddress> addresses) implements Discovery {
        public Peers {
            addresses = List.copyOf(addresses);
            if (addresses.size() > MAX_PEERS) {
                throw new IllegalArgumentException(addresses.size() + " peers are given, and at most " + MAX_PEERS
                        + " are possible; use discovery by DNS");
            }
        }
    }

    /**
     * Discovery by the addresses of a DNS name. In Kubernetes, use the name of a headless Service.
     *
     * <p>The name is resolved repeatedly. All members listen on the same port.
     *
     * <p>Java caches an answer for 30 s, and a failure for 10 s. If the name has only the address of this process when
     * the process starts, the cache can delay the discovery of other members by up to 30 s. The security properties
     * {@code networkaddress.cache.ttl} and {@code networkaddress.cache.negative.ttl} shorten the delay. The command
     * {@code doyen ring} sets both properties to 1 s, unless the user has set them.
     */
    record Dns(String name) implements Discovery {
        public Dns {
            ElectionNames.check("DNS name", name);
        }
    }

    /** Discovery by multicast, in networks that support multicast. */
    record Multicast(InetAddress group, int port) implements Discovery {
        public Multicast {
            if (!group.isMulticastAddress()) {
                throw new IllegalArgumentException(group.getHostAddress()
                        + " is not a multicast address; choose one from 224.0.0.0 to 239.255.255.255, such as"
                        + " 230.5.5.5");
            }
            ClusterSettings.checkPort("multicast port", port);
        }
    }
}
