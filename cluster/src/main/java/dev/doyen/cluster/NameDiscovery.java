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
 * Discovery by the addresses of a name, asked side by side. The name is looked for as the system does, with its search domains
 * and its file of hosts; JGroups' own way wants a naming service of the JDK besides, and uses it for other records only.
 *
 * <p>Who asked this member is asked too, though the name has it not, or not yet. Else of two that begin together, of which the
 * name has one, that one may know of the other, take it for the one to begin, and wait for its word without ever asking: 18 s.
 */
public final class NameDiscovery extends DNS_PING {

    /** Of those that asked, the latest. */
    static final int MAX_ASKERS = 64;

    private final Inquiries inquiries = new Inquiries();

    // Guarded by itself.
    private final Set<InetAddress> askers = new LinkedHashSet<>();

    NameDiscovery(String name) {
        // The id that the headers of this protocol are known by.
        setId(ClassConfigurator.getProtocolId(DNS_PING.class));
        dnsQuery(name);
        dnsResolver(new Names());
    }

    /**
     * Then whoever makes a view tells all where the new members are. JGroups takes it that the name has all of them; but it has a
     * new pod's address only when the caches of DNS have run out, and until then nothing but its neighbour would reach it.
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
        inquiries.ask(() -> super.sendDiscoveryRequest(request));
    }

    /** The system's way of looking for a name, and who asked. A name that is not there, or cannot be asked for, has no addresses. */
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
