package dev.doyen.cluster;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jgroups.Address;
import org.jgroups.Message;
import org.jgroups.PhysicalAddress;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.dns.DNSResolver;
import org.jgroups.protocols.dns.DNS_PING;
import org.jgroups.stack.IpAddress;

/**
 * Discovery by the addresses of a DNS name. The class sends requests to the addresses concurrently.
 *
 * <p>The operating system resolves the name, with its search domains and hosts file. JGroups' own resolver requires a
 * JDK naming service, which a lookup of addresses does not need.
 *
 * <p>This member also sends requests to the processes that have sent a request to it, because DNS does not always have
 * the addresses of these processes yet. Suppose that A and B start together, and that the name has only the address of
 * A. A learns of B from B's request, and can expect B to create the cluster. Without the additional requests, A would
 * never send a request to B, and A and B could wait for each other for 18 s.
 */
public final class NameDiscovery extends DNS_PING {

    /**
     * The maximum number of stored addresses of requesters. If the set is full, a new address replaces the address
     * whose last request is the oldest.
     */
    static final int MAX_REQUESTERS = 64;

    private final DiscoveryRequests requests = new DiscoveryRequests();

    // The set is guarded by its own monitor.
    private final Set<InetAddress> requesters = new LinkedHashSet<>();

    NameDiscovery(String name) {
        // JGroups identifies the headers of a protocol by its id, so this class uses the id of its superclass.
        setId(ClassConfigurator.getProtocolId(DNS_PING.class));
        dnsQuery(name);
        dnsResolver(new Names());
    }

    /**
     * Returns false, which makes the coordinator send the addresses of new members to all members.
     *
     * <p>If the result were true, JGroups would assume that the name contains every address. But the name contains the
     * address of a new pod only after the DNS caches have expired. Until then, only the pod's neighbour on the ring
     * could reach the pod.
     */
    @Override
    public boolean isDynamic() {
        return false;
    }

    @Override
    public void discoveryRequestReceived(Address sender, String name, PhysicalAddress address) {
        super.discoveryRequestReceived(sender, name, address);
        if (address instanceof IpAddress requester) {
            synchronized (requesters) {
                requesters.remove(requester.getIpAddress());
                requesters.add(requester.getIpAddress());
                if (requesters.size() > MAX_REQUESTERS) {
                    requesters.remove(requesters.iterator().next());
                }
            }
        }
    }

    @Override
    protected void sendDiscoveryRequest(Message request) {
        requests.send(() -> super.sendDiscoveryRequest(request));
    }

    /**
     * Resolves the name with the operating system, and adds the addresses of requesters.
     *
     * <p>A name that does not exist or cannot be resolved has no addresses.
     */
    private final class Names implements DNSResolver {
        @Override
        public List<Address> resolveIps(String name, DNSRecordType type) {
            Stream<InetAddress> known;
            synchronized (requesters) {
                known = List.copyOf(requesters).stream();
            }
            return Stream.concat(addressesOf(name), known)
                    .distinct()
                    .<Address>map(address -> new IpAddress(address, 0))
                    .toList();
        }

        @Override
        public void close() {}
    }

    private static Stream<InetAddress> addressesOf(String name) {
        try {
            return Stream.of(InetAddress.getAllByName(name));
        } catch (UnknownHostException e) {
            return Stream.empty();
        }
    }
}
