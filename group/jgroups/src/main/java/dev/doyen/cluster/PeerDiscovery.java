package dev.doyen.cluster;

import java.net.InetSocketAddress;
import java.util.List;
import org.jgroups.Message;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.TCPPING;

/** Discovery by a list of addresses, which it asks concurrently. */
public final class PeerDiscovery extends TCPPING {

    private final DiscoveryRequests requests = new DiscoveryRequests();

    PeerDiscovery(List<InetSocketAddress> addresses) {
        // JGroups identifies this protocol's headers by this id.
        setId(ClassConfigurator.getProtocolId(TCPPING.class));
        initialHosts(addresses);
        setPortRange(0);
    }

    @Override
    protected void sendDiscoveryRequest(Message request) {
        requests.ask(() -> super.sendDiscoveryRequest(request));
    }
}
