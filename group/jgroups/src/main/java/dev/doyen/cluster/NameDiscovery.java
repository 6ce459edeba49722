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
 * Discovery by the addresses of a name, which it asks concurrently.
 *
 * <p>The operating system resolves the name, with its search domains and hosts file. JGroups' own resolver requires a
 * JDK naming service and uses it only for other records.
 *
 * <p>It also asks every process that has asked this member, even if the name does not have its address yet. Otherwise
 * two processes that start together can wait for each other for 18 s. That happens if the name has the address of only
 * one of them. This one then expects the other to create the cluster, but never asks it.
 */
public final class NameDiscovery extends DNS_PING {

    /** Limit for remembered askers. The most recent ones remain. */
    static final int MAX_ASKERS = 64;

    private final DiscoveryRequests requests = new DiscoveryRequests();

    // Guarded by itself.
    private final Set<InetAddress> askers = new LinkedHashSet<>();

    NameDiscovery(String name) {
        // JGroups identifies this protocol's headers by this id.
        setId(ClassConfigurator.getProtocolId(DNS_PING.class));
        dnsQuery(name);
        dnsResolver(new Names());
    }

    /**
     * Returns false, so that the coordinator sends the addresses of new members to all members.
     *
     * <p>With true, JGroups assumes that the name has every address. But the address of a new pod appears only after
     * the DNS caches have expired. Until then only its neighbour could reach it.
     */
    @Override
    public boolean isDynamic() {
        return false;
    }

    @Override
    public void discoveryRequestReceived(Address sender, String name, PhysicalAddress address) {
        super.discoveryRequestReceived(sender, name, address);
        if (address instanceof IpAddress asker) {
            synchronized (askers) {
                askers.remove(asker.getIpAddress());
                askers.add(asker.getIpAddress());
                if (askers.size() > MAX_ASKERS) {
                    askers.remove(askers.iterator().next());
                }
            }
        }
    }

    @Override
    protected void sendDiscoveryRequest(Message request) {
        requests.ask(() -> super.sendDiscoveryRequest(request));
    }

    /**
     * Resolves the name by the operating system, and adds the askers.
     *
     * <p>A name that does not exist or cannot be resolved has no addresses.
     */
    private final class Names implements DNSResolver {
        @Override
        public List<Address> resolveIps(String name, DNSRecordType type) {
            Stream<InetAddress> known;
            synchronized (askers) {
                known = List.copyOf(askers).stream();
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
