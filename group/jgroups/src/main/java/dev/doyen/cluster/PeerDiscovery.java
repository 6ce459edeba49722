package dev.doyen.cluster;

import java.net.InetSocketAddress;
import java.util.List;
import org.jgroups.Message;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.TCPPING;

/** Discovery by a list of addresses. The class sends requests to the addresses concurrently. */
public final class PeerDiscovery extends TCPPING {

    private final DiscoveryRequests requests = new DiscoveryRequests();

    PeerDiscovery(List<InetSocketAddress> addresses) {
        // JGroups identifies the headers of a protocol by its id, so this class uses the id of its superclass.
        setId(ClassConfigurator.getProtocolId(TCPPING.class));
        initialHosts(addresses);
        setPortRange(0);
    }

    @Override
    protected void sendDiscoveryRequest(Message request) {
        requests.send(() -> super.sendDiscoveryRequest(request));
    }
}
