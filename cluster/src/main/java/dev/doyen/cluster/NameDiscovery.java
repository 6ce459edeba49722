package dev.doyen.cluster;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;
import org.jgroups.Address;
import org.jgroups.Message;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.dns.DNSResolver;
import org.jgroups.protocols.dns.DNS_PING;
import org.jgroups.stack.IpAddress;

/**
 * Discovery by the addresses of a name, asked side by side. The name is looked for as the system does, with its search domains
 * and its file of hosts; JGroups' own way wants a naming service of the JDK besides, and uses it for other records only.
 */
public final class NameDiscovery extends DNS_PING {

    private final Inquiries inquiries = new Inquiries();

    NameDiscovery(String name) {
        // The id that the headers of this protocol are known by.
        setId(ClassConfigurator.getProtocolId(DNS_PING.class));
        dnsQuery(name);
        dnsResolver(new SystemNames());
        asyncDiscovery(true);
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
    protected void sendDiscoveryRequest(Message request) {
        inquiries.ask(() -> super.sendDiscoveryRequest(request));
    }

    /** The system's way of looking for a name. One that is not there, or cannot be asked for, has no addresses. */
    private static final class SystemNames implements DNSResolver {
        @Override
        public List<Address> resolveIps(String name, DNSRecordType type) {
            try {
                return Stream.of(InetAddress.getAllByName(name))
                        .<Address>map(address -> new IpAddress(address, 0))
                        .toList();
            } catch (UnknownHostException e) {
                return List.of();
            }
        }

        @Override
        public void close() {}
    }
}
