package dev.doyen.group.process;

import dev.doyen.cluster.ClusterSettings;
import dev.doyen.cluster.Discovery;
import dev.doyen.election.HealthCheck;
import dev.doyen.elector.AdminAccess;
import dev.doyen.elector.audit.AuditLog;
import dev.doyen.elector.http.ListenAddress;
import dev.doyen.elector.http.TlsSettings;
import dev.doyen.group.settings.RingAlgorithm;
import dev.doyen.group.settings.RingOrder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Settings of ring processes on this machine that take part in the election {@code orders}. */
final class SampleSettings {

    static final ListenAddress ANY = ListenAddress.parse("127.0.0.1:0");

    private SampleSettings() {}

    /** Returns the default settings of a ring with this election timeout. */
    static RingElectionSettings ringElection(Duration follow) {
        return new RingElectionSettings(follow, RingAlgorithm.CHANG_ROBERTS, RingOrder.OLDEST);
    }

    /**
     * Creates the settings of a member.
     *
     * @param cluster the name of the cluster
     * @param port the port on which this process listens; usually one of {@code peers}
     * @param http the address of the elector API
     */
    static MemberSettings memberSettings(
            RingElectionSettings electionSettings,
            String cluster,
            String id,
            int port,
            List<Integer> peers,
            ListenAddress http,
            AdminAccess adminAccess) {
        return memberSettings(electionSettings, cluster, id, port, peers, Optional.empty(), http, adminAccess);
    }

    /** Creates settings of a member with a health check. */
    static MemberSettings memberSettings(
            RingElectionSettings electionSettings,
            String cluster,
            String id,
            int port,
            List<Integer> peers,
            Optional<HealthCheck> health,
            ListenAddress http,
            AdminAccess adminAccess) {
        InetAddress here = InetAddress.getLoopbackAddress();
        var settings = ClusterSettings.local(cluster, id)
                .listeningOn(here, port)
                .finding(new Discovery.Peers(peers.stream()
                        .map(each -> new InetSocketAddress(here, each))
                        .toList()))
                .detecting(Duration.ofMillis(1_800));
        return new MemberSettings(
                "orders",
                electionSettings,
                settings,
                100,
                health,
                http,
                ANY,
                adminAccess,
                TlsSettings.NONE,
                AuditLog.NONE);
    }
}
