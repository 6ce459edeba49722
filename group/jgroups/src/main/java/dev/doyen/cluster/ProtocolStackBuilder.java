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

/**
 * Builds the JGroups protocols that a membership needs.
 *
 * <p>No protocol transfers state, fragments messages or limits senders, because a message has at most 80 KiB and one
 * receiver. The stack is built in code instead of a file, so that no default applies unnoticed.
 *
 * <p>These settings matter:
 *
 * <ul>
 *   <li>The failure detector's sockets have the transport's address. Otherwise they would listen on every address and
 *       suspect each other.
 *   <li>Threads are platform threads, because this runs on Java 17.
 *   <li>A suspicion is verified for a quarter of a second, twice that at most. Meanwhile the leader leads without a
 *       confirmed heartbeat ({@link ClusterSettings#silence}).
 *   <li>Two members that had removed each other and meet again ask five times a second for the beginning of each
 *       other's messages. Until then they deliver nothing. JGroups' default of 2 s was visible in half of the
 *       measurements in testing/chaos/NOTES.md.
 *   <li>After a merge its second coordinator waits for acknowledgements that only the first one receives, and delivers
 *       nothing of the first one meanwhile. It waits for 200 ms instead of 2 s, because the ring uses a view before all
 *       have it.
 *   <li>Each thread sends by itself. JGroups' single sending thread waits a second for a connection to an unreachable
 *       member, and delays messages to the others.
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

    /** Longer than the longest heartbeat interval, which is an eighth of the longest detection time. */
    private static final long IDLE_MILLIS = 60_000;

    private ProtocolStackBuilder() {}

    /** Returns the stack over TCP. */
    static List<Protocol> over(ClusterSettings settings) {
        Optional<IncomingFrames> incoming = settings.secret()
                .map(secret -> new IncomingFrames(
                        new FrameCipher(SharedKey.of(secret, FrameCipher.PURPOSE, settings.cluster()))));
        TCP tcp = incoming.<TCP>map(EncryptedTcp::new).orElseGet(FilteredTcp::new);
        tcp.setBindAddress(settings.bind());
        tcp.setBindPort(settings.port());
        // No other port, because the other members look for this process there.
        tcp.setPortRange(0);
        tcp.setSockConnTimeout(CONNECT_MILLIS);
        tcp.logDetails(false);
        // Silent connections are closed, because strangers could otherwise occupy threads without limit.
        tcp.setReaperInterval(REAPER_MILLIS).setConnExpireTime(IDLE_MILLIS);
        FD_SOCK2 sockets = incoming.<FD_SOCK2>map(EncryptedSockets::new).orElseGet(FD_SOCK2::new);
        sockets.setPortRange(0);
        return over(tcp, discovery(settings, incoming), sockets, settings);
    }

    /** Returns the stack over any transport; tests use it too. */
    static List<Protocol> over(TP transport, Protocol discovery, FD_SOCK2 sockets, ClusterSettings settings) {
        transport.useVirtualThreads(false);
        transport.setBundlerType("no-bundler");
        transport.getThreadPool().setMaxThreads(MAX_THREADS);
        var all = new ArrayList<Protocol>();
        all.add(transport);
        all.add(discovery);
        // The detector suspects after whole heartbeats, so the detection time is a multiple of them.
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
            return asking(new PeerDiscovery(peers.addresses()));
        }
        if (settings.discovery() instanceof Discovery.Dns dns) {
            return asking(new NameDiscovery(dns.name()));
        }
        var multicast = (Discovery.Multicast) settings.discovery();
        return new EncryptedMulticast(
                        incoming.orElseThrow(() -> new IllegalStateException("settings of multicast have a secret")),
                        new IpAddress(multicast.group(), multicast.port()))
                .setBindAddr(settings.bind());
    }

    /**
     * Configures a discovery that asks each address.
     *
     * <p>A process that joins may know only a member that is not the coordinator. That member's answer then contains
     * the coordinator's address.
     */
    private static Protocol asking(org.jgroups.protocols.Discovery discovery) {
        discovery.asyncDiscovery(true);
        discovery.returnEntireCache(true);
        return discovery;
    }
}
