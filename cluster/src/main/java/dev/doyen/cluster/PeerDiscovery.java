package dev.doyen.cluster;

import java.net.InetSocketAddress;
import java.util.List;
import org.jgroups.Message;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.TCPPING;

/** Discovery by a list of addresses, asked side by side. */
public final class PeerDiscovery extends TCPPING {

    private final Inquiries inquiries = new Inquiries();

    PeerDiscovery(List<InetSocketAddress> addresses) {
        // The id that the headers of this protocol are known by.
        setId(ClassConfigurator.getProtocolId(TCPPING.class));
        initialHosts(addresses);
        setPortRange(0);
    }

    @Override
    protected void sendDiscoveryRequest(Message request) {
        inquiries.ask(() -> super.sendDiscoveryRequest(request));
    }
}
