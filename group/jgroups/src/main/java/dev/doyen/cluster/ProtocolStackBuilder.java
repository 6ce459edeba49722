package dev.doyen.cluster;

import dev.doyen.store.support.SharedKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.protocols.FD_SOCK2;
import org.jgroups.protocols.MERGE3;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.TP;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.NAKACK2;
import org.jgroups.protocols.pbcast.STABLE;
import org.jgroups.stack.IpAddress;
import org.jgroups.stack.Protocol;
import org.jgroups.util.LazyThreadFactory;

/**
 * Builds the JGroups protocols that a membership needs.
 *
 * <p>The stack contains no protocols for state transfer, fragmentation and flow control. They are unnecessary, because
 * a message has at most 80 KiB and one receiver. The stack is built in code instead of a file. This class and the
 * protocol classes of this package set every setting that differs from its default.
 *
 * <p>The reasons for the most important settings:
 *
 * <ul>
 *   <li>The failure detector's sockets listen on the transport's address. Otherwise the sockets would listen on every
 *       address, and the members would suspect each other.
 *   <li>The threads are platform threads, because the library supports Java 17.
 *   <li>The verification of a suspicion is short, 250 ms to 500 ms, because no heartbeat of the leader is confirmed
 *       during the verification ({@link ClusterSettings#silence}).
 *   <li>After a merge, two members that had removed each other request the first sequence number of each other's
 *       messages five times a second. Until the answer arrives, these members deliver none of each other's messages.
 *       JGroups' default interval of 2 s caused delays in half of the measurements in testing/chaos/NOTES.md.
 *   <li>In a merge, each side has a coordinator. One of these coordinators waits for acknowledgements that only the
 *       other coordinator receives, and delivers no messages of the other coordinator during this wait. The wait is 200
 *       ms instead of 2 s. The ring does not need these acknowledgements, because it uses a view before all members
 *       have installed it.
 *   <li>Each thread sends its own messages. JGroups' single sending thread would wait a second for a connection to an
 *       unreachable member, and would delay all messages to other members. The messages of the elections are still
 *       delayed, because {@link ClusterMembership} has one sending thread. The bundler {@code per-destination} would
 *       avoid this delay. But it would send all heartbeats and views on one thread, so they would delay each other.
 * </ul>
 */
final class ProtocolStackBuilder {

    private static final long JOIN_MILLIS = 1_000;
    private static final long LEAVE_MILLIS = 1_000;
    private static final long MERGE_LEAST_MILLIS = 1_000;
    private static final long MERGE_MOST_MILLIS = 5_000;
    private static final int CONNECT_MILLIS = 1_000;
    private static final long SYNC_MILLIS = 200;
    private static final long ACK_MILLIS = 200;
    private static final int MAX_THREADS = 20;
    private static final long REAPER_MILLIS = 10_000;

    /**
     * The time after which an idle connection is closed. This time is longer than the longest heartbeat interval, which
     * is an eighth of the longest detection time.
     */
    private static final long IDLE_MILLIS = 60_000;

    private ProtocolStackBuilder() {}

    /** Returns the protocol stack with a TCP transport. */
    static List<Protocol> over(ClusterSettings settings) {
        Optional<IncomingFrames> incoming = settings.secret()
                .map(secret -> new IncomingFrames(
                        new FrameCipher(SharedKey.of(secret, FrameCipher.PURPOSE, settings.cluster()))));
        TCP tcp = incoming.<TCP>map(EncryptedTcp::new).orElseGet(FilteredTcp::new);
        tcp.setBindAddress(settings.bind());
        tcp.setBindPort(settings.port());
        // The transport must not choose another port, because the other members expect this process at this port.
        tcp.setPortRange(0);
        tcp.setSockConnTimeout(CONNECT_MILLIS);
        tcp.logDetails(false);
        // Idle connections are closed. Otherwise foreign processes could occupy any number of threads.
        tcp.setReaperInterval(REAPER_MILLIS).setConnExpireTime(IDLE_MILLIS);
        FD_SOCK2 sockets = incoming.<FD_SOCK2>map(EncryptedSockets::new).orElseGet(FD_SOCK2::new);
        sockets.setPortRange(0);
        return over(tcp, discovery(settings, incoming), sockets, settings);
    }

    /** Returns the protocol stack with this transport. Tests also use this method. */
    static List<Protocol> over(TP transport, Protocol discovery, FD_SOCK2 sockets, ClusterSettings settings) {
        transport.useVirtualThreads(false);
        // By default the threads are no daemons, and a process that does not close the membership would not end.
        transport.setThreadFactory(new LazyThreadFactory("jgroups", true, true));
        transport.setBundlerType("no-bundler");
        transport.getThreadPool().setMaxThreads(MAX_THREADS);
        var all = new ArrayList<Protocol>();
        all.add(transport);
        all.add(discovery);
        // The failure detector counts whole heartbeat intervals, so the detection time is a multiple of the interval.
        long heartbeat = settings.detection().toMillis() / ClusterSettings.HEARTBEATS;
        all.add(new MERGE3().setMinInterval(MERGE_LEAST_MILLIS).setMaxInterval(MERGE_MOST_MILLIS));
        all.add(sockets.setBindAddress(settings.bind()).setOffset(ClusterSettings.SUSPICION_OFFSET));
        all.add(new FD_ALL3().setTimeout(heartbeat * ClusterSettings.HEARTBEATS).setInterval(heartbeat));
        all.add(new VERIFY_SUSPECT2().setTimeout(ClusterSettings.VERIFICATION.toMillis()));
        all.add(new NAKACK2().useMcastXmit(false));
        all.add(new UNICAST3().setSyncMinInterval(SYNC_MILLIS));
        all.add(new STABLE());
        all.add(new GMS()
                .printLocalAddress(false)
                .setJoinTimeout(JOIN_MILLIS)
                .setLeaveTimeout(LEAVE_MILLIS)
                .setViewAckCollectionTimeout(ACK_MILLIS));
        return all;
    }

    private static Protocol discovery(ClusterSettings settings, Optional<IncomingFrames> incoming) {
        if (settings.discovery() instanceof Discovery.Peers peers) {
            return configure(new PeerDiscovery(peers.addresses()));
        }
        if (settings.discovery() instanceof Discovery.Dns dns) {
            return configure(new NameDiscovery(dns.name()));
        }
        var multicast = (Discovery.Multicast) settings.discovery();
        return new EncryptedMulticast(
                        incoming.orElseThrow(() -> new IllegalStateException("multicast settings need a secret")),
                        new IpAddress(multicast.group(), multicast.port()))
                .setBindAddr(settings.bind());
    }

    /**
     * Configures a discovery that sends a request to each address.
     *
     * <p>A process that joins may have only the address of a member that is not the coordinator. That member's answer
     * then contains the coordinator's address.
     */
    private static Protocol configure(org.jgroups.protocols.Discovery discovery) {
        discovery.asyncDiscovery(true);
        discovery.returnEntireCache(true);
        return discovery;
    }
}
